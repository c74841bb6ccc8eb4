# Stands in for node:…-trixie-slim: the same layout, with Node and npm from the npm registry.
FROM annals-stand-in/debian
RUN groupadd --gid 1000 node && useradd --uid 1000 --gid node --shell /bin/bash --create-home node
COPY node_modules/node-linux/bin/node /usr/local/bin/node
COPY node_modules/npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx
LABEL annals.stand-in=node
CMD ["node"]
