# Lists the Debian packages that Netstitch needs; sourced by build-aux/start, build-aux/check and build-aux/package.
# SPDX-License-Identifier: GPL-3.0-or-later

# Packages to build and to run Netstitch.
BUILD_PACKAGES="gcc libc6-dev meson ninja-build pkg-config python3 gettext libglib2.0-dev
  libglib2.0-dev-bin libgtk-4-dev libcairo2-dev libpango1.0-dev libxml2-dev libarchive-dev
  libsoup-3.0-dev libiberty-dev libmaxminddb-dev zlib1g-dev libbrotli-dev libzstd-dev libsqlite3-dev nettle-dev
  desktop-file-utils shared-mime-info itstool yelp-tools adwaita-icon-theme librsvg2-common fonts-cantarell"

# Additional packages to run the tests.
TEST_PACKAGES="libjson-glib-dev clang clang-format llvm mold appstream libxml2-utils xvfb xauth xdotool openbox
  dbus dbus-x11 at-spi2-core python3-gi gir1.2-atspi-2.0 imagemagick zip p7zip-full cabextract
  strace x11-utils xclip parallel"

# Additional packages, besides BUILD_PACKAGES, to make Debian packages.
PACKAGE_PACKAGES="build-essential debhelper dpkg-dev lintian"

# Installs the packages that are missing, as root or with sudo. On systems other than Debian it prints
# their names and continues.
need_packages ()
{
  missing=
  if ! command -v dpkg-query >/dev/null 2>&1
  then
    echo "This is not a Debian system. Please have these installed (Debian names):" >&2
    echo "$*" | tr -s ' \n' '  ' >&2
    echo "flatpak-free-build-notes.md lists the names of other systems." >&2
    return 0
  fi
  for package in "$@"
  do
    dpkg-query -W -f '${Status}\n' "$package" 2>/dev/null | grep -q '^install ok installed' \
      || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0

  as_root=
  if [ "$(id -u)" -ne 0 ]
  then
    if command -v sudo >/dev/null 2>&1
    then as_root=sudo
    else
      echo "These packages are missing, and this is neither root nor is there sudo:" >&2
      echo "  apt-get install$missing" >&2
      return 1
    fi
  fi
  echo "Installing:$missing" >&2
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q >&2 || true
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $missing >&2
}
