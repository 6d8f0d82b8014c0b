/** The first descriptor of its ways; below it are its own streams, and what a step has at 3 and 4. */
export const FIRST_WAY = 5;
/** Descriptors of one way: gate, output, errors. */
export const WAY_ENDS = 3;

/**
 * What the spawner runs, in Perl: a small process forks in a fraction of what a large one takes. Its arguments are where
 * its ways begin, how many descriptors each has, how many there are, and how long a report may be.
 *
 *   loaded: R ──▶ request ──▶ fork, session: S pid ──▶ directory, descriptors, exec ──ends──▶ X status, with its report
 *                               └──F errno                     └──F errno: nothing has run
 *
 * A request is its length, then, NUL between them: way, directory, file, number of arguments, arguments, environment. An
 * answer is a letter and three numbers: the way, what the letter says of it, and the length of what follows. The report
 * comes on descriptor 4 in many small pieces; it is kept here until the shell has ended, so that nobody is woken for each.
 * Where nobody asks any more it ends, and lets live what it has started.
 */
export const SPAWNER = `
use strict;
use Errno ();
use POSIX ();
my ($first, $ends, $ways, $limit) = @ARGV;
my @ways = map {
  my $from = $first + $ends * $_;
  [ map { open(my $end, '+<&=', $_) or exit 1; $end } $from .. $from + $ends - 1 ];
} 0 .. $ways - 1;
POSIX::close($_) for 3, 4;
open(my $answers, '>&', \\*STDOUT) or exit 1;
open(my $nothing, '<', '/dev/null') or exit 1;
pipe(my $woken, my $wake) or exit 1;
$SIG{CHLD} = sub { syswrite $wake, '.' };
my %living;
my $pipe_size = 1031; # F_SETPIPE_SZ

sub answer {
  my ($letter, $n, $value, $more) = (@_, '');
  my $text = pack('aNNN', $letter, $n, $value, length $more) . $more;
  for (my $at = 0; $at < length $text; ) {
    my $sent = syswrite $answers, $text, length($text) - $at, $at;
    if (defined $sent) { $at += $sent } elsif (!$!{EINTR}) { exit }
  }
}

# Takes what there is of a report; more than the limit is thrown away.
sub hear {
  my ($one) = @_;
  while (sysread $one->{report}, my $piece, 65536) {
    $one->{said} .= $piece if length $one->{said} <= $limit;
  }
}

# Before the fork: most of it is as it was the last time, and what a child changes of it is copied page by page.
sub dress {
  my %env = map { split /=/, $_, 2 } @_;
  exists $env{$_} or delete $ENV{$_} for keys %ENV;
  for (keys %env) { $ENV{$_} = $env{$_} if !exists $ENV{$_} || $ENV{$_} ne $env{$_} }
}

# Whoever is answered may end the group at once: it is one before.
sub become {
  my ($n, $way, $report, $cwd, $file, $argv) = @_;
  POSIX::setsid();
  answer('S', $n, $$);
  chdir $cwd or return;
  my ($gate, $out, $err) = map { fileno $_ } @$way;
  my @to = ([fileno $nothing, 0], [$out, 1], [$err, 2], [$gate, 3], [fileno $report, 4]);
  for (@to) { defined POSIX::dup2(@$_) or return }
  no warnings 'exec';
  exec { $file } @$argv;
}

sub start {
  my ($n, $cwd, $file, $count, @env) = split /\\0/, $_[0], -1;
  my @argv = splice @env, 0, $count;
  dress(@env);
  my $way = $ways[$n];
  $ways[$n] = undef;
  pipe(my $report, my $reports) or return answer('F', $n, $!);
  fcntl $report, $pipe_size, 1 << 20;
  fcntl $report, POSIX::F_SETFL(), POSIX::O_NONBLOCK();
  my $pid = fork;
  return answer('F', $n, $!) if !defined $pid;
  if (!$pid) {
    become($n, $way, $reports, $cwd, $file, \\@argv);
    answer('F', $n, $!);
    POSIX::_exit(127);
  }
  $living{$pid} = { way => $n, report => $report, said => '' };
}

answer('R', 0, 0);
my $asked = '';
for (;;) {
  my $ready = '';
  vec($ready, 0, 1) = vec($ready, fileno $woken, 1) = 1;
  my $found = select($ready, undef, undef, %living ? 1 : undef);
  next if $found < 0;
  # A report that is too long for its pipe must not wait for the end of its shell.
  if ($found == 0) { hear($_) for values %living; next }
  if (vec($ready, fileno $woken, 1)) {
    sysread $woken, my $times, 64;
    while ((my $pid = waitpid(-1, POSIX::WNOHANG())) > 0) {
      my ($status, $one) = ($?, delete $living{$pid});
      next if !$one;
      hear($one);
      answer('X', $one->{way}, $status, $one->{said});
    }
  }
  next if !vec($ready, 0, 1);
  my $got = sysread STDIN, $asked, 65536, length $asked;
  exit if defined $got && $got == 0;
  while (length $asked >= 4) {
    my $length = unpack 'N', $asked;
    last if length $asked < 4 + $length;
    start(substr $asked, 4, $length);
    substr($asked, 0, 4 + $length) = '';
  }
}
`;
