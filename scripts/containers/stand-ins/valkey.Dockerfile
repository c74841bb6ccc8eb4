# Stands in for valkey/valkey, from Debian.
FROM annals-stand-in/debian
RUN apt-get update && apt-get install --yes --no-install-recommends valkey-server valkey-tools && mkdir /data && chown valkey /data
COPY valkey-entrypoint.sh /usr/local/bin/docker-entrypoint.sh
LABEL annals.stand-in=valkey
VOLUME /data
WORKDIR /data
ENTRYPOINT ["docker-entrypoint.sh"]
EXPOSE 6379
CMD ["valkey-server"]
