# The command with all extras and a Chromium, as a user without rights. Its data is in /data.
ARG PYTHON=3.13

FROM node:22-slim AS consent
WORKDIR /consent
COPY layers/core/consent/package.json layers/core/consent/package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund

FROM python:${PYTHON}-slim-trixie AS wheel
WORKDIR /source/layers/core
COPY . /source
COPY --from=consent /consent/node_modules /consent
# hadolint ignore=DL3013
RUN pip install --no-cache-dir hatchling \
    && python consent/pack.py /consent \
    && mkdir /wheel \
    && python -c "from hatchling.build import build_wheel; build_wheel('/wheel')"

FROM python:${PYTHON}-slim-trixie
ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    GLEANER_HOME=/data
# Debian's Chromium brings its libraries and is updated with the system; the fonts cover what pages are written in.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium fonts-noto-core fonts-noto-cjk tini \
    && rm -rf /var/lib/apt/lists/*
COPY requirements.lock /tmp/requirements.lock
RUN --mount=type=bind,from=wheel,source=/wheel,target=/wheel \
    sed 's/ *\\$//; /^ *--hash/d' /tmp/requirements.lock > /tmp/constraints.txt \
    && pip install --constraint /tmp/constraints.txt "$(echo /wheel/*.whl)[browser,mcp,documents,models,spreadsheets]" \
    && rm /tmp/requirements.lock /tmp/constraints.txt \
    && useradd --uid 10001 --create-home gleaner \
    && install --directory --owner gleaner /data
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Only a server has a port to look at; other commands are well as long as they run.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import pathlib, urllib.request as u; b'serve' in pathlib.Path('/proc/1/cmdline').read_bytes() and u.urlopen('http://127.0.0.1:8080/', timeout=4)"]
ENTRYPOINT ["tini", "--", "gleaner"]
CMD ["serve", "--host", "0.0.0.0", "--require-token"]
