# Two stages: packages are installed with the lock file, and the image holds what runs and nothing else.
# Debian, not Alpine: the embedding model's runtime has no binaries for musl.
FROM oven/bun:1.4.5-slim AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY patches patches
COPY packages packages
COPY server/packages.ts server/entries.ts server/
# The image brings its own Bun, so the packaged one (with its download script) is left out. Of pdfjs-dist only its CMaps are read, and what it
# draws with is not needed.
RUN bun server/packages.ts --ignore-scripts \
  && rm -rf node_modules/bun node_modules/@oven \
  && find node_modules/pdfjs-dist -mindepth 1 -maxdepth 1 ! -name package.json ! -name LICENSE ! -name cmaps -exec rm -rf {} +
# The console is bundled once, and the bundler is not in the image.
COPY plugins/console plugins/console
RUN bun plugins/console/build.ts && rm -rf node_modules/esbuild node_modules/@esbuild
# `bun run server doctor` and the like work as in a checkout, but install no packages first: the image has them.
RUN bun --eval "const file = Bun.file('package.json'); const manifest = await file.json(); for (const name of Object.keys(manifest.scripts)) if (name.startsWith('pre')) delete manifest.scripts[name]; await file.write(JSON.stringify(manifest, null, 2))"

FROM oven/bun:1.4.5-slim
LABEL org.opencontainers.image.title="Mneme" \
  org.opencontainers.image.description="Persistent memory for AI agents" \
  org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/package.json ./
COPY bunfig.toml LICENSE ./
COPY sql sql
COPY core core
COPY packages packages
COPY plugins plugins
COPY --from=packages /app/plugins/console/built plugins/console/built
COPY server server
COPY workers workers
COPY client client
COPY integrations integrations
# By number, which is the user `bun`: Kubernetes takes no name where it is told `runAsNonRoot`.
RUN mkdir /data && chown 1000:1000 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data SHUTDOWN_DELAY=5 BUN_RUNTIME_TRANSPILER_CACHE_PATH=0
USER 1000:1000
# No VOLUME: with an unnamed one, `docker run --rm` would delete the database and its key. Name one: docker run -v mneme:/data …
EXPOSE 3000
# At SIGTERM, which Bun gets as process 1, the server serves on for SHUTDOWN_DELAY seconds and has stopped at most 16 seconds later: give it
# that time by `docker run --stop-timeout 30`.
STOPSIGNAL SIGTERM
# What is unhealthy is started again by some, which mends nothing while the database is away: that is asked of /ready, by balancers.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["bun", "--eval", "const { ok } = await fetch(`http://127.0.0.1:${process.env.PORT}/health`).catch(() => ({ ok: false })); process.exit(ok ? 0 : 1)"]
CMD ["bun", "server/main.ts"]
