# Stands in for prom/prometheus, from Debian.
FROM annals-stand-in/debian
RUN apt-get update && apt-get install --yes --no-install-recommends prometheus && mkdir /prometheus && chown nobody /prometheus
LABEL annals.stand-in=prometheus
USER nobody
VOLUME /prometheus
WORKDIR /prometheus
ENTRYPOINT ["/bin/prometheus"]
EXPOSE 9090
