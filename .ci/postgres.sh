#!/usr/bin/env bash
# A throw-away Postgres with pgvector for tests on Debian: installs what is missing (as root), makes a cluster in a folder,
# starts it on 127.0.0.1 and prints its URL.
#
#   .ci/postgres.sh start FOLDER [PORT]     .ci/postgres.sh stop FOLDER
set -euo pipefail

version=${PG_VERSION:-15}
bin=/usr/lib/postgresql/$version/bin
extension=/usr/share/postgresql/$version/extension/vector.control

main() {
  local action=${1:-} folder=${2:-}
  [ -n "$folder" ] || { echo "usage: $0 start|stop FOLDER [PORT]" >&2; exit 2; }
  case $action in
    start) install_postgres >&2; install_pgvector "$folder" >&2; start "$folder" "${3:-$(free_port)}" ;;
    stop) as_owner "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop >/dev/null ;;
    *) echo "unknown action $action" >&2; exit 2 ;;
  esac
}

install_postgres() {
  [ -x "$bin/postgres" ] && return
  # Without this file the package would make and start a cluster of its own.
  mkdir -p /etc/postgresql-common
  [ -f /etc/postgresql-common/createcluster.conf ] ||
    echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
  install_packages "postgresql-$version"
}

# Debian packages pgvector from version 13 on; before, it is built from the next release's source.
install_pgvector() {
  [ -f "$extension" ] && return
  install_packages "postgresql-$version-pgvector" 2>/dev/null || build_pgvector "$1"
}

build_pgvector() {
  local work=$1/pgvector
  # The makefiles can be there without the headers, so it is the headers that count.
  local needed=()
  [ -f "/usr/include/postgresql/$version/server/postgres.h" ] || needed+=("postgresql-server-dev-$version")
  command -v make >/dev/null && command -v gcc >/dev/null || needed+=(build-essential)
  command -v dpkg-source >/dev/null || needed+=(dpkg-dev)
  [ ${#needed[@]} -eq 0 ] || install_packages "${needed[@]}"
  mkdir -p "$work/lists/partial" "$work/source"
  # A private list of sources at the mirror that apt already uses: /etc/apt stays as it is, signatures are checked.
  local mirror
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk '$2 == "bookworm" || $2 == "stable" { print $1; exit }')
  echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie main" >"$work/sources.list"
  local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$work/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists" -o APT::Sandbox::User=root)
  "${apt[@]}" update
  (
    cd "$work/source"
    "${apt[@]}" source --download-only pgvector
    dpkg-source --no-check -x pgvector_*.dsc pgvector >/dev/null
    # Portable instructions: the machine that runs the tests may not be the one that built this.
    make -s -C pgvector -j"$(nproc)" OPTFLAGS="" with_llvm=no PG_CONFIG="$bin/pg_config"
    make -s -C pgvector install with_llvm=no PG_CONFIG="$bin/pg_config" >/dev/null
  )
}

install_packages() {
  [ -n "${apt_updated:-}" ] || apt-get -qq update
  apt_updated=yes
  DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends "$@" >/dev/null
}

start() {
  local folder=$1 port=$2
  mkdir -p "$folder/data" "$folder/run"
  if [ "$(id -u)" = 0 ]; then
    chmod 755 "$folder"
    chown postgres:postgres "$folder/data" "$folder/run"
    chmod 700 "$folder/data"
  fi
  [ -f "$folder/data/PG_VERSION" ] ||
    as_owner "$bin/initdb" -D "$folder/data" -U app -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
  # It lives for one test run, so nothing is written for good.
  as_owner "$bin/pg_ctl" -D "$folder/data" -w -l "$folder/run/log" start >/dev/null -o "-p $port \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=$folder/run -c max_connections=500 \
    -c fsync=off -c full_page_writes=off -c synchronous_commit=off"
  echo "postgres://app@127.0.0.1:$port/postgres"
}

# Postgres refuses to run as root.
as_owner() {
  if [ "$(id -u)" = 0 ]; then
    (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups "$@")
  else
    "$@"
  fi
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close() })'
}

main "$@"
