FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image brings Node 24 itself, so the optional packages that bring it elsewhere stay out.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DCSIM_LISTEN=0.0.0.0:9740
# Small heaps for young objects and few arenas of malloc: a medium world that is scraped takes some 130 MB instead of
# 190, for a twentieth more processor time while it warms up.
ENV NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
# Where the stack mounts the volume of its Prometheus, which runs as nobody.
RUN install --directory --owner=nobody --group=nogroup /prometheus
USER node
EXPOSE 9740
# By the shell, as starting Node for each check would take twenty times the processor time.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["bash", "-c", "\
  exec 3<>/dev/tcp/127.0.0.1/9740 \
  && printf 'GET /health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 \
  && read -r status <&3 && [[ $status == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
