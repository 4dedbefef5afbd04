FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages provide Node 24 where there is none; the image has it.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DCSIM_LISTEN=0.0.0.0:9740
# Small semi-spaces and few malloc arenas: a medium world under scrapes takes about 130 MB instead of 190, at 5 % more
# CPU time during the warm-up.
ENV NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=2
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
COPY alerts/runbooks ./alerts/runbooks
# Mount point of the volume of the stack's Prometheus, which runs as user nobody.
RUN install --directory --owner=nobody --group=nogroup /prometheus
# Mount point of the volume in which the world is saved.
RUN install --directory --owner=1000 --group=1000 /state
# By number: Kubernetes' runAsNonRoot cannot tell whether a name is root.
USER 1000:1000
EXPOSE 9740
# By bash: starting Node for each check takes twenty times the CPU time.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["bash", "-c", "\
  exec 3<>/dev/tcp/127.0.0.1/9740 \
  && printf 'GET /health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 \
  && read -r status <&3 && [[ $status == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
