#!/bin/sh
# name-image.sh IMAGE: has the Compose files of this directory name a published image, in place of one that is built.
set -eu
sed -i -E \
  -e "s|image: dcsim-mirror:.*|image: $1|" \
  -e '/^    build: \.$/d' \
  -e '/^  pull_policy: never$/d' \
  -e 's|^# Built here: .*|# An image that is not here is pulled.|' \
  docker-compose*.yml
