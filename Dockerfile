FROM node:26-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages provide Node 26 where there is none; the image has it.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

FROM node:26-trixie-slim
WORKDIR /app
ENV NODE_ENV=production DCSIM_LISTEN=0.0.0.0:9740
# Small semi-spaces and one malloc arena: a medium world takes 150 to 160 MB instead of 180, at 5 % more CPU time during
# the warm-up.
ENV NODE_OPTIONS=--max-semi-space-size=4 MALLOC_ARENA_MAX=1
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY src ./src
# Mount points of the volumes of the stack's Prometheus and Alertmanager, which run as user nobody.
RUN install --directory --owner=65534 --group=65534 /configuration /prometheus /alertmanager
# Mount points of the volumes with the world and with files of the user, and the places of compiled code and of the
# default world.
RUN install --directory --owner=1000 --group=1000 /state /sessions /compiled worlds
# By number: Kubernetes' runAsNonRoot cannot tell whether a name is root.
USER 1000:1000
# Compiled code without its types, kept from a first start: later ones take half the CPU time. Node looks for it by the
# user's number; for another user it starts as without.
ENV NODE_COMPILE_CACHE=/compiled DCSIM_CACHE=/state/worlds
COPY deploy/packaging/first-start.ts ./deploy/packaging/
# Lives through the week of the default world, which later starts continue.
RUN node deploy/packaging/first-start.ts worlds node src/main.ts
# Files of the other services of the stack, so that docker-compose.yml needs nothing beside it.
COPY alerts ./alerts
COPY promql ./promql
COPY dashboards/generated ./dashboards/generated
COPY dashboards/provisioning ./dashboards/provisioning
COPY deploy/stack ./deploy/stack
COPY deploy/compose ./deploy/compose
COPY docker-compose.yml .env.example ./
# Named on the landing page. A release names the published image.
ARG IMAGE=dcsim-mirror:0.1.0
ENV DCSIM_IMAGE=$IMAGE
# A release adds source, revision and version.
LABEL org.opencontainers.image.title="dcsim-mirror" \
  org.opencontainers.image.description="A data center simulation mirrored over HTTP, with a Prometheus exporter, Grafana dashboards and alert rules." \
  org.opencontainers.image.licenses="MIT"
EXPOSE 9740
# By bash: starting Node for each check takes twenty times the CPU time.
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["bash", "-c", "\
  exec 3<>/dev/tcp/127.0.0.1/9740 \
  && printf 'GET /health HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 \
  && read -r status <&3 && [[ $status == *' 200 '* ]]"]
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
