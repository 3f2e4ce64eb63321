#!/usr/bin/env bash
# Follows the README's first steps on an empty folder: starts the server, waits until it is ready, stores a memory with the
# key it printed, finds it again, stops it with SIGTERM and wants it to end with 0.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

folder=$(mktemp -d "${TMPDIR:-/tmp}/mneme-start.XXXXXX")
server=
trap 'if [ -n "$server" ]; then kill -9 "$server" 2>/dev/null || true; fi; rm -rf "$folder"' EXIT

main() {
  local port base key
  port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })')
  base=http://127.0.0.1:$port
  PORT=$port DATA_DIR=$folder/data npx bun run server >"$folder/out" 2>"$folder/err" &
  local npx=$!
  wait_for "the server to be ready" 60 curl -fsS "$base/ready"
  key=$(grep -oE 'mn_live_[0-9A-Za-z]+' "$folder/out" | head -n 1)
  [ -n "$key" ] || fail "no key was printed"
  server=$(listener "$port")

  curl -fsS "$base/v1/memories" -H "X-Api-Key: $key" -H 'Content-Type: application/json' \
    -d '{"memory": "Ada prefers green tea over coffee in the morning."}' >"$folder/created"
  grep -q '"id"' "$folder/created" || fail "the memory was not created"
  wait_for "the memory to be found by meaning" 30 found "$base" "$key"

  kill -TERM "$server"
  local code=0
  wait "$npx" || code=$?
  [ "$code" = 0 ] || fail "the server ended with $code after SIGTERM"
  server=
  echo "started, stored, found and stopped"
}

found() {
  curl -fsS "$1/v1/memories?mode=semantic&search=what+does+she+drink" -H "X-Api-Key: $2" | grep -q 'green tea'
}

# The process that listens, which is below npx and its shell.
listener() {
  local inode
  inode=$(awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port { print $10; exit }' /proc/net/tcp)
  for link in /proc/[0-9]*/fd/*; do
    if [ "$(readlink "$link" 2>/dev/null)" = "socket:[$inode]" ]; then
      echo "$link" | cut -d/ -f3
      return
    fi
  done
  fail "no process listens on port $1"
}

wait_for() {
  local what=$1 seconds=$2 deadline=$((SECONDS + $2))
  shift 2
  until "$@" >"$folder/probe" 2>&1; do
    [ "$SECONDS" -lt "$deadline" ] || fail "waited $seconds s in vain for $what"
    sleep 0.1
  done
}

fail() {
  echo "$1" >&2
  echo "-- standard output of the server:" >&2
  sed -E 's/mn_live_[0-9A-Za-z]+/mn_live_…/' "$folder/out" >&2 || true
  echo "-- standard error of the server:" >&2
  tail -n 50 "$folder/err" >&2 || true
  exit 1
}

main
