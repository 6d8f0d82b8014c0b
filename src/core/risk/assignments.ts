import { UNKNOWN } from '../shell/index.ts';
import { guards } from './guards.ts';
import { writeRule } from './path-rules.ts';
import { report, type ShellScope } from './scope.ts';
import type { Arg, RuleInfo } from './types.ts';

/** Variables whose value another program runs as a command. */
const commands =
  /^(?:GIT_(?:SSH|SSH_COMMAND|EDITOR|SEQUENCE_EDITOR|PAGER|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND)|SSH_ASKPASS|PAGER|MANPAGER|EDITOR|VISUAL|BROWSER|LESSOPEN|LESSCLOSE|PROMPT_COMMAND|PS[0-4]|RSYNC_RSH|CVS_RSH|SVN_SSH|SVN_EDITOR|HGEDITOR|FZF_\w+_COMMAND|RUSTC(?:_WRAPPER|_WORKSPACE_WRAPPER)?|CARGO_TARGET_\w+_(?:RUNNER|LINKER)|CC|CXX|LD|AR|FC|CPP|GOFLAGS|MAKEFLAGS|GNUMAKEFLAGS|SYSTEMD_(?:PAGER|EDITOR)|DELTA_PAGER|BAT_PAGER|GH_(?:PAGER|EDITOR|BROWSER)|AWS_PAGER|KUBE_EDITOR|SUDO_(?:EDITOR|ASKPASS)|TERMINAL|SHELL|PERLDOC_PAGER|PSQL_(?:PAGER|EDITOR)|MANOPT|GREP_COMMAND|ANSIBLE_PAGER|npm_config_script_shell|NPM_CONFIG_SCRIPT_SHELL|GIT_(?:PROXY_SSL_CERT|CREDENTIAL_HELPER))$/;

/** Variables that make a program load code or options of somebody else's choice. */
const loaders =
  /^(?:LD_(?:PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|IFS|PERL5(?:OPT|LIB|DB)|PYTHON(?:STARTUP|PATH|HOME|INSPECT|BREAKPOINT|WARNINGS)|RUBY(?:OPT|LIB)|NODE_(?:OPTIONS|PATH)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|GIT_(?:CONFIG\w*|DIR|WORK_TREE|EXEC_PATH|TEMPLATE_DIR)|TAR_OPTIONS|CLASSPATH|GCONV_PATH|BASH_FUNC_.*|EXINIT|VIMINIT|ZDOTDIR|WGETRC|CURL_HOME|INPUTRC|TERMINFO|LUA_(?:INIT|PATH|CPATH)\w*|PHPRC|PHP_INI_SCAN_DIR|JULIA_LOAD_PATH|R_(?:PROFILE|ENVIRON|LIBS)\w*|GUILE_LOAD_PATH|TCLLIBPATH|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|OPENSSL_(?:CONF|ENGINES|MODULES)|LESSKEY\w*|GTK_MODULES|QT_PLUGIN_PATH|NODE_EXTRA_CA_CERTS|PIP_(?:INDEX_URL|CONFIG_FILE|EXTRA_INDEX_URL)|NPM_CONFIG_\w+|npm_config_\w+|AWS_CONFIG_FILE)$/;

/** Whether a variable says what a program loads or runs. */
export const loads = (name: string): boolean => name === 'PATH' || loaders.test(name) || commands.test(name);

/** Variables that name a file which a program writes. */
const written =
  /^(?:GIT_TRACE\w*|GIT_INDEX_FILE|\w*HISTFILE|\w*_HISTORY|SSLKEYLOGFILE|NODE_V8_COVERAGE|PYTHONPYCACHEPREFIX|LLVM_PROFILE_FILE|WGETRC_LOG|XTRACEFD)$/;

/** Variables that say which server a program works with. */
const servers = /^(?:DOCKER_HOST|CONTAINER_HOST|BUILDKIT_HOST|KUBERNETES_MASTER)$/;

export const loaderVariable: RuleInfo = {
  id: 'loader-variable',
  level: 'caution',
  sentence: 'Sets a variable that makes programs load code or options of somebody else’s choice.',
  reversible: true,
};

export const remoteOptions: RuleInfo = {
  id: 'option-variable',
  level: 'dangerous',
  sentence: 'Sets a variable that gives a later program hidden options which send data away or run code.',
  needs: ['network'],
};

/** Judges what a variable is set to, where that value may be run. */
export function judgeAssignment(name: string, value: Arg, scope: ShellScope): void {
  if (loaders.test(name)) report(scope, loaderVariable, value.span);
  if (name === 'TAR_OPTIONS' && /:\/|(?:exec|command|program|rsh)=|--(?:to|use)-/.test(value.value))
    report(scope, remoteOptions, value.span);
  const rule = written.test(name) ? writeRule(value.value, scope) : undefined;
  if (rule) report(scope, rule, value.span);
  if (servers.test(name) && /^(?:tcp|ssh|https?):\/\/(?!(?:localhost|127\.|\[::1\]))/.test(value.value))
    report(scope, remoteOptions, value.span);
  if (value.value.includes(UNKNOWN) || value.value === '') return;
  if (commands.test(name)) {
    const text = name === 'LESSOPEN' ? value.value.replace(/^\|+-?/, '') : value.value;
    if (/^PS\d$/.test(name)) judgeSubstitutions(value, scope);
    else scope.nested(text, scope, { span: value.span, via: [name] });
  } else judgeSubstitutions(value, scope);
}

/** The text of a substitution kept in a variable runs as soon as something evaluates it. */
function judgeSubstitutions(value: Arg, scope: ShellScope): void {
  const found = /\$\(([^)]*)\)|`([^`]*)`/.exec(value.value);
  if (!found) return;
  report(scope, guards.quotedSubstitution, value.span);
  scope.nested(found[1] ?? found[2] ?? '', scope, { span: value.span });
}
