/**
 * What common tools can do, for those that do not say so when they are asked for something else. Words, not behaviour:
 * a missing one means only that a slip towards it is not seen.
 */
const table: Record<string, string> = {
  git: 'add am apply archive bisect blame branch checkout cherry-pick clean clone commit config describe diff fetch format-patch gc grep init log ls-files merge mv notes pull push range-diff rebase reflog remote reset restore revert rev-list rev-parse rm shortlog show stash status submodule switch tag worktree',
  npm: 'access adduser audit cache ci config dedupe deprecate diff dist-tag docs doctor edit exec explain explore find-dupes fund help init install install-test link login logout ls list org outdated owner pack ping pkg prefix profile prune publish query rebuild repo restart root run run-script sbom search shrinkwrap start stop team test token uninstall unpublish update version view whoami',
  yarn: 'add audit autoclean bin cache config create dedupe dlx exec global help import info init install licenses link list login logout node outdated owner pack policies publish remove run tag team test unlink upgrade upgrade-interactive version versions why workspace workspaces',
  pnpm: 'add audit bin config create dedupe deploy dlx exec env fetch help import init install install-test link list licenses outdated pack patch prune publish rebuild remove root run setup start store test unlink update why',
  pip: 'install download uninstall freeze inspect list show check config search cache index wheel hash completion debug help',
  cargo:
    'add bench build check clean clippy doc fetch fix fmt generate-lockfile help init install locate-project login logout metadata new owner package pkgid publish read-manifest remove report run rustc rustdoc search test tree uninstall update vendor verify-project version yank',
  go: 'bug build clean doc env fix fmt generate get help install list mod work run telemetry test tool version vet',
  docker:
    'attach build builder buildx checkpoint commit compose config container context cp create diff events exec export history image images import info init inspect kill load login logout logs manifest network node pause plugin port ps pull push rename restart rm rmi run save search secret service stack start stats stop swarm system tag top trust unpause update version volume wait',
  'docker-compose':
    'build config create down events exec images kill logs pause port ps pull push restart rm run start stop top unpause up version',
  kubectl:
    'annotate api-resources api-versions apply attach auth autoscale certificate cluster-info completion config cordon cp create debug delete describe diff drain edit events exec explain expose get kustomize label logs options patch plugin port-forward proxy replace rollout run scale set taint top uncordon version wait',
  apt: 'autoclean autopurge autoremove build-dep changelog clean depends dist-upgrade download edit-sources full-upgrade install list moo policy purge rdepends reinstall remove satisfy search show showsrc source update upgrade',
  'apt-get':
    'autoclean autoremove build-dep changelog check clean dist-upgrade download dselect-upgrade install purge reinstall remove source update upgrade',
  'apt-cache':
    'add depends dotty dump dumpavail gencaches madison pkgnames policy rdepends search show showpkg showsrc stats unmet',
  dnf: 'autoremove check check-update clean distro-sync downgrade group help history info install list makecache mark provides reinstall remove repolist repoquery search shell swap update updateinfo upgrade upgrade-minimal',
  yum: 'check check-update clean deplist distribution-synchronization downgrade groups help history info install list makecache provides reinstall remove repolist search shell swap update update-minimal updateinfo upgrade version',
  systemctl:
    'cancel cat daemon-reexec daemon-reload disable edit enable get-default halt is-active is-enabled is-failed isolate kill link list-dependencies list-jobs list-sockets list-timers list-unit-files list-units log-level mask poweroff preset reboot reenable reload reload-or-restart rescue reset-failed restart revert set-default set-property show start status stop suspend try-restart unmask',
  mvn: 'validate initialize generate-sources process-sources generate-resources process-resources compile process-classes generate-test-sources process-test-sources generate-test-resources process-test-resources test-compile process-test-classes test prepare-package package pre-integration-test integration-test post-integration-test verify install deploy pre-clean clean post-clean pre-site site post-site site-deploy',
  svn: 'add blame cat changelist checkout cleanup commit copy delete diff export help import info list lock log merge mergeinfo mkdir move patch propdel propedit propget proplist propset relocate resolve resolved revert status switch unlock update upgrade',
  hg: 'add addremove annotate archive backout bisect bookmarks branch branches bundle cat clone commit config copy diff export files forget graft grep heads help identify import incoming init locate log manifest merge outgoing parents paths phase pull push recover remove rename resolve revert root serve status summary tag tags unbundle update verify version',
  brew: 'analytics autoremove bundle casks cleanup commands config deps desc doctor edit fetch formulae help home info install leaves link list log migrate options outdated pin reinstall search services shellenv tap unlink uninstall unpin untap update upgrade uses',
  gem: 'build cert check cleanup contents dependency environment exec fetch generate_index help info install list lock mirror open outdated owner pristine push query rdoc rebuild search server signin signout sources specification stale uninstall unpack update which yank',
  terraform:
    'apply console destroy fmt force-unlock get graph import init login logout metadata output plan providers refresh show state taint test untaint validate version workspace',
  conda:
    'activate clean compare config create deactivate env info init install list notices package remove rename run search uninstall update upgrade',
  helm: 'completion create dependency env get help history install lint list package plugin pull push registry repo rollback search show status template test uninstall upgrade verify version',
  vagrant:
    'autocomplete box cloud destroy global-status halt help init login package plugin port powershell provision push rdp reload resume serve snapshot ssh ssh-config status suspend up upload validate version winrm winrm-config',
  openssl:
    'asn1parse ca ciphers cms crl dgst dhparam ec ecparam enc errstr genpkey genrsa help info kdf list mac nseq ocsp passwd pkcs12 pkcs7 pkcs8 pkey pkeyparam pkeyutl prime rand rehash req rsa rsautl s_client s_server s_time sess_id smime speed spkac storeutl ts verify version x509',
  adb: 'backup bugreport connect devices disconnect emu exec-out forward help install install-multiple jdwp keygen kill-server logcat pair pull push reboot reconnect remount restore reverse root shell sideload start-server sync tcpip uninstall unroot usb version wait-for-device',
  composer:
    'about archive browse bump check-platform-reqs clear-cache completion config create-project depends diagnose dump-autoload dumpautoload exec fund global help home init install licenses list outdated prohibits reinstall remove require run run-script search self-update selfupdate show status suggests update upgrade validate why',
  pyenv:
    'activate commands completions deactivate doctor exec global help hooks init install local prefix rehash root shell shims uninstall update version versions virtualenv virtualenvs whence which',
  gulp: 'build clean compile copy css default deploy dev dist help html images js lint release scripts serve start styles test watch',
  grunt:
    'build clean compile concat copy default deploy dev dist help jshint less lint minify release sass serve server start test uglify watch',
  gradle:
    'assemble bootJar bootRun build buildDependents buildEnvironment buildNeeded check classes clean compileJava compileTestJava dependencies dependencyInsight dependentComponents distZip help init installDist jar javadoc model outgoingVariants processResources processTestResources projects properties publish publishToMavenLocal resolvableConfigurations run tasks test testClasses wrapper',
  tmux: 'attach-session bind-key break-pane capture-pane choose-tree clear-history confirm-before copy-mode detach-client display-message has-session join-pane kill-pane kill-server kill-session kill-window last-window list-buffers list-clients list-commands list-keys list-panes list-sessions list-windows load-buffer new-session new-window next-window paste-buffer rename-session rename-window resize-pane run-shell select-pane select-window send-keys set-option show-options source-file split-window start-server swap-pane switch-client',
  'react-native':
    'bundle config doctor info init install link log-android log-ios ram-bundle run-android run-ios start uninstall unlink upgrade',
  poetry:
    'about add build cache check config debug env export help init install list lock new publish remove run search self shell show source update version',
  flutter:
    'analyze assemble attach bash-completion build channel clean config create custom-devices daemon devices doctor downgrade drive emulators format gen-l10n help install logs precache pub run screenshot symbolize test upgrade',
  gh: 'alias api attestation auth browse cache codespace completion config extension gist gpg-key help issue label org pr project release repo ruleset run search secret ssh-key status variable workflow',
  dotnet:
    'add build clean format help list msbuild new nuget pack publish remove restore run sln store test tool vstest watch workload',
  hostscli: 'block block_all help unblock unblock_all websites',
  ip: 'address addrlabel link maddress monitor mroute neighbour netns ntable route rule tunnel tuntap xfrm',
};

const aliases: Record<string, string> = {
  pip3: 'pip',
  mvnw: 'mvn',
  gradlew: 'gradle',
  nala: 'apt',
  podman: 'docker',
  nerdctl: 'docker',
  rbenv: 'pyenv',
  goenv: 'pyenv',
  nodenv: 'pyenv',
  jenv: 'pyenv',
};

export function subcommandsOf(program: string): readonly string[] {
  const words = Object.hasOwn(table, aliases[program] ?? program) ? table[aliases[program] ?? program]! : '';
  return words === '' ? [] : words.split(' ');
}
