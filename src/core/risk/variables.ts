import type { RuleInfo } from './types.ts';

/** Variables whose value another program runs as a command. */
export const commandVariables =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|PS[0-4]|RSYNC_RSH|CVS_RSH|SVN_SSH|SVN_EDITOR|HGEDITOR|FZF_\w+_COMMAND|RUSTC|\w*_WRAPPER|\w+_LAUNCHER|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|CC|CXX|LD|AR|FC|CPP|GOFLAGS|MAKEFLAGS|GNUMAKEFLAGS|SYSTEMD_(?:PAGER|EDITOR)|DELTA_PAGER|BAT_PAGER|GH_(?:PAGER|EDITOR|BROWSER)|AWS_PAGER|KUBE_EDITOR|SUDO_(?:EDITOR|ASKPASS)|TERMINAL|SHELL|PERLDOC_PAGER|PSQL_(?:PAGER|EDITOR)|MANOPT|GREP_COMMAND|ANSIBLE_PAGER|npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL|GIT_(?:PROXY_SSL_CERT|CREDENTIAL_HELPER))$/;

/** Variables that make a program load code or options of somebody else's choice. */
export const loaderVariables =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|PERL5(?:OPT|LIB|DB)|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|WARNINGS)|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_(?:CONFIG\w*|DIR|WORK_TREE|EXEC_PATH|TEMPLATE_DIR)|TAR_OPTIONS|CLASSPATH|GCONV_PATH|BASH_FUNC_.*|EXINIT|VIMINIT|ZDOTDIR|WGETRC|CURL_HOME|INPUTRC|TERMINFO|LUA_(?:INIT|PATH|CPATH)\w*|PHPRC|PHP_INI_SCAN_DIR|JULIA_LOAD_PATH|R_(?:PROFILE|ENVIRON|LIBS)\w*|GUILE_LOAD_PATH|TCLLIBPATH|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|OPENSSL_(?:CONF|ENGINES|MODULES)|LESSKEY\w*|GTK_MODULES|QT_PLUGIN_PATH|NODE_EXTRA_CA_CERTS|PIP_(?:INDEX_URL|CONFIG_FILE|EXTRA_INDEX_URL)|NPM_CONFIG_\w+|npm_config_\w+|AWS_CONFIG_FILE)$/;

/** Whether a variable says what a program loads or runs. */
export const loads = (name: string): boolean =>
  name === 'PATH' || loaderVariables.test(name) || commandVariables.test(name);

/** Variables that name a file which a program writes. */
export const fileVariables =
  /^(?:GIT_TRACE\w*|GIT_INDEX_FILE|\w*HISTFILE|\w*_HISTORY|SSLKEYLOGFILE|NODE_V8_COVERAGE|PYTHONPYCACHEPREFIX|LLVM_PROFILE_FILE|WGETRC_LOG|XTRACEFD)$/;

/** Variables that say which server a program works with, or takes packages from. */
export const serverVariables =
  /^(?:DOCKER_HOST|CONTAINER_HOST|BUILDKIT_HOST|KUBERNETES_MASTER|\w*_?(?:REGISTRY|INDEX_URL|INDEX|INDEX_URLS|REPOSITORY_URL|MIRROR)|GOPROXY|GOSUMDB|\w*_REGISTRIES_\w+_INDEX)$/i;

/** A variable of the environment whose name says that it is a secret, or an address with one in it. */
export const isSecretVariable = (name: string): boolean =>
  /TOKEN|SECRET|PASS|PWD|KEY|CRED|AUTH|BEARER|JWT|WEBHOOK|CONN\w*STR|(?:^|_)PAT$|DSN|_UR[LI]$|COOKIE|SESSION|PRIVATE/i.test(
    name,
  ) && !/^(?:OLD)?PWD$/.test(name);

export const temporaryProgram: RuleInfo = {
  id: 'temporary-program',
  level: 'dangerous',
  sentence: 'Runs a program, or loads code, out of a folder where anybody can put one.',
};

/** Absolute paths in a value: alone, behind an option, or one of several. */
export const pathsIn = (value: string): string[] =>
  [...value.matchAll(/(?:^|[=:\s"'r])(\/[^\s:"']+)/g)].map((found) => found[1] ?? '');

/**
 * Variables that decide which files a program takes its settings from, or that hand it further options: whoever sets
 * them can make a program that only reads run something.
 */
const steering =
  /^(?!(?:NODE_ENV|AWS_PROFILE|AWS_(?:DEFAULT_)?REGION|DOCKER_BUILDKIT)$)(?:HOME|SHELL|CDPATH|LOCPATH|NLSPATH|TERMINFO\w*|INPUTRC|KUBECONFIG|WGETRC|ZDOTDIR|GO(?:PATH|ROOT|FLAGS|BIN|ENV|PROXY|TOOLCHAIN)|MAN(?:PATH|OPT|ROFFOPT)|GZIP|GREP_\w+|LESS\w*|MAKE\w+|PG\w+|(?:XDG|GIT|LD|DYLD|PIP|UV|NPM|NODE|YARN|PNPM|CONDA|GEM|BUNDLE|MAVEN|GRADLE|CARGO|AWS|AZURE|CLOUDSDK|GOOGLE|DOCKER|COMPOSE|KUBE|HELM|TF|ANSIBLE|VAULT|SSH|SUDO|SVN|RIPGREP|FZF|CURL|RSYNC|MYSQL|REDIS|SQLITE|BAT|EZA|TAR|ZIP|XZ|ZSTD|HG|GPG)_\w+|(?:PYTHON|PERL|RUBY|RUST|JAVA|_JAVA|JDK|GNUPG)\w*|\w*_(?:COMMAND|HELPER|EDITOR|PAGER|WRAPPER|OPTIONS|OPTS|FLAGS|PRELOAD|ASKPASS|CONFIG|CONF|RC))$/i;

/** True where a value of this name can make a program do something else than its words say. */
export const steersPrograms = (name: string): boolean =>
  commandVariables.test(name) || loaderVariables.test(name) || steering.test(name);
