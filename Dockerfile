# docker build -t sitemapaudit .      (add --build-arg BROWSER=1 for --render, STORES=1 for s3://…)
# docker run --rm -v "$PWD:/data" sitemapaudit audit www.example.com
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
ARG STORES=
WORKDIR /source
RUN python -m venv /opt/sitemapaudit
ENV PATH=/opt/sitemapaudit/bin:$PATH
COPY requirements.lock requirements.txt ./
COPY sitemapaudit/datasets/formats/requirements.txt extra-xlsx.txt
COPY sitemapaudit/runs/merging/requirements.txt extra-stores.txt
# The locked pip checks the hashes of constraints.
RUN sed -n '/^pip==/,/[^\\]$/p' requirements.lock > pip.txt \
    && pip install --no-cache-dir --require-hashes -r pip.txt \
    && pip install --no-cache-dir --require-hashes -c requirements.lock \
        -r requirements.txt -r extra-xlsx.txt ${STORES:+-r extra-stores.txt} setuptools
COPY pyproject.toml README.md LICENSE ./
COPY notebooks notebooks
COPY sitemapaudit sitemapaudit
RUN pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:${PYTHON}-slim
ARG BROWSER=
RUN if [ -n "$BROWSER" ]; then \
        apt-get update \
        && apt-get install --yes --no-install-recommends chromium-headless-shell \
        && rm -rf /var/lib/apt/lists/*; \
    fi \
    && useradd --create-home --uid 1000 sitemapaudit \
    && install --directory --owner=sitemapaudit /data
COPY --from=build /opt/sitemapaudit /opt/sitemapaudit
ENV PATH=/opt/sitemapaudit/bin:$PATH PYTHONUNBUFFERED=1
USER sitemapaudit
# Runs go to /data/audits.
WORKDIR /data
VOLUME /data
ENTRYPOINT ["sitemapaudit"]
CMD ["--help"]
