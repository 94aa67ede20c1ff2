# SPDX-License-Identifier: MIT
# For Homebrew on Linux. A release fills in the address and the checksum of the
# archive that "meson dist" made.
class Gpureduce < Formula
  desc "Reduce files of numbers to sum, mean, extremes and more, exactly"
  homepage "https://gpureduce.invalid/"
  url "https://gpureduce.invalid/gpureduce-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "meson" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "python@3.13" => :build
  depends_on :linux
  depends_on "isa-l"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "meson", "setup", "build", "-Dcuda=disabled", "-Dtests=false",
           *std_meson_args
    system "meson", "compile", "-C", "build", "--verbose"
    system "meson", "install", "-C", "build"
  end

  test do
    assert_equal "gpureduce #{version}",
                 shell_output("#{bin}/gpureduce --version").lines.first.chomp
    assert_equal "3\n",
                 pipe_output("#{bin}/gpureduce -f csv -o mean", "1\n2\n6\n", 0)
  end
end
