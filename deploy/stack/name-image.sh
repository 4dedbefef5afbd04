#!/bin/sh
# name-image.sh IMAGE: has the Compose files here and in deploy/compose name a published image, in place of one that is built.
set -eu
for file in docker-compose.yml deploy/compose/*.yml; do
  [ ! -f "$file" ] || sed -i -E \
    -e "s|image: dcsim-mirror:.*|image: $1|" \
    -e '/^    build: \.$/d' \
    -e '/^  pull_policy: never$/d' \
    -e 's|^# Built here: .*|# An image that is not here is pulled.|' \
    "$file"
done
