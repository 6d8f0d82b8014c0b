import * as build from './build.ts';
import { notBuilt } from './built.ts';
import { listedChoice, nearestChoice, usageChoice } from './choices.ts';
import * as compile from './compile.ts';
import * as files from './files.ts';
import * as flags from './flags.ts';
import * as foreign from './foreign.ts';
import * as branches from './git-branches.ts';
import * as tree from './git-tree.ts';
import * as words from './git-words.ts';
import * as inside from './inside.ts';
import { asciiOnly } from './locale.ts';
import * as parents from './missing-parents.ts';
import * as path from './missing-path.ts';
import * as program from './missing-program.ts';
import * as network from './network.ts';
import * as node from './node.ts';
import * as pasted from './pasted.ts';
import * as privilege from './privilege.ts';
import { manifestElsewhere } from './project.ts';
import { answersPrompt, gitNoEdit, promptAnswers, promptNamesFlag } from './prompts.ts';
import * as python from './python.ts';
import type { MendingRule } from './rule.ts';
import * as scripts from './scripts.ts';
import { toolSuggests } from './suggestion.ts';
import * as around from './surroundings.ts';
import * as system from './system.ts';
import { toldToRun } from './told-to-run.ts';
import * as typed from './typed.ts';
import { unquotedName } from './unquoted-name.ts';

/** General mechanisms first: where a rule of a family is as sure as they are, they win. */
export const rules: readonly MendingRule[] = [
  pasted.fencedCommand,
  pasted.promptInCommand,
  pasted.nonBreakingSpace,
  pasted.typographicQuotes,
  flags.typographicDash,
  typed.strayKey,
  program.programTwice,
  toolSuggests,
  nearestChoice,
  usageChoice,
  listedChoice,
  flags.nearestFlag,
  toldToRun,
  unquotedName,
  foreign.bsdInPlace,
  foreign.bsdDecode,
  foreign.sudoForRoot,
  python.noEnvironment,
  notBuilt,
  path.nearestPath,
  parents.mkdirParents,
  parents.missingParents,
  path.fileElsewhere,
  inside.missingFolderInside,
  files.executeBit,
  inside.executeBitInside,
  program.otherName,
  program.localProgram,
  typed.scriptByName,
  system.hyphenForSpace,
  foreign.standIn,
  program.misspelt,
  program.missingPackage,
  program.bareRepository,
  scripts.carriageReturns,
  scripts.missingShebang,
  scripts.scriptForBash,
  scripts.foreignInterpreter,
  scripts.missingInterpreter,
  scripts.unterminatedQuote,
  files.copyFolder,
  files.grepFolder,
  files.grepOrder,
  files.listFolder,
  files.removeEmptyFolder,
  files.hardLinkToFolder,
  files.linkExists,
  files.patchStrip,
  files.cdIntoFile,
  files.unquotedPattern,
  files.sedUnterminated,
  files.proveRecursively,
  files.tarCompression,
  typed.enterNewFolder,
  typed.hostOfAddress,
  typed.registeredName,
  typed.openAddress,
  typed.phpServer,
  typed.namedFlag,
  typed.longHelp,
  typed.linkOrder,
  around.portInUse,
  around.missingEnvironment,
  around.outOfMemory,
  answersPrompt,
  promptNamesFlag,
  promptAnswers,
  gitNoEdit,
  privilege.asksForRoot,
  privilege.notAsRoot,
  privilege.pathOfUser,
  branches.noUpstream,
  branches.unknownBranch,
  branches.unknownRemote,
  branches.tagNotFetched,
  branches.fetchFirst,
  branches.divergent,
  branches.unrelatedHistories,
  tree.dirty,
  tree.notARepository,
  tree.identity,
  tree.staleLock,
  tree.branchExists,
  branches.cloneTwice,
  tree.addMissing,
  tree.pathspecAdd,
  tree.rmFolder,
  branches.remoteExists,
  tree.flagAfterFile,
  words.addIgnored,
  words.removeChanged,
  words.diffOutside,
  words.stashMessage,
  words.helpOfAlias,
  words.nothingToContinue,
  words.pushByOtherName,
  words.newBranch,
  words.branchMadeTwice,
  node.missingScript,
  node.scriptWithoutRun,
  node.yarnWords,
  node.peerConflict,
  node.lockMismatch,
  node.notInstalled,
  manifestElsewhere,
  asciiOnly,
  python.missingModule,
  python.externallyManaged,
  python.userInstall,
  python.noVenv,
  python.scriptExtension,
  build.makeTarget,
  compile.missingLibrary,
  compile.missingHeader,
  compile.cmakeConfigure,
  compile.runConfigure,
  build.goGet,
  build.goFile,
  build.javaClass,
  build.wrapperScript,
  system.aptUpdate,
  system.dpkgInterrupted,
  system.systemctlOrder,
  system.unknownUnit,
  system.daemonReload,
  system.dockerDaemon,
  system.terraformInit,
  network.misspeltProtocol,
  network.missingCertificates,
  network.keyTooOpen,
  network.sshPort,
  network.transientFailure,
];
