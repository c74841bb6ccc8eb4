# Stands in for valkey/valkey, from Debian.
FROM annals-stand-in/debian
# As in the official image: Kubernetes names users by number.
RUN groupadd --system --gid 999 valkey && useradd --system --uid 999 --gid valkey --home-dir /var/lib/valkey valkey
RUN apt-get update && apt-get install --yes --no-install-recommends valkey-server valkey-tools && mkdir /data && chown valkey /data
COPY valkey-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
LABEL annals.stand-in=valkey
VOLUME /data
WORKDIR /data
ENTRYPOINT ["docker-entrypoint.sh"]
EXPOSE 6379
CMD ["valkey-server"]
