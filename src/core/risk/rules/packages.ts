import { isDryRun, operands, option } from '../args.ts';
import type { CommandRule } from '../types.ts';

const managers =
  'apt apt-get aptitude dpkg yum dnf microdnf rpm zypper pacman yay paru apk snap flatpak brew port emerge xbps-remove nix-env pkg pkg_delete swupd opkg winget choco scoop pip pip3'.split(
    ' ',
  );

const fromElsewhere =
  /^(?:@?[\w./-]+ ?@ ?)?(?:git\+(?:https?|ssh|git|file):|git:\/\/|(?:github|gitlab|bitbucket|gist):\w|git@[\w.-]+:|https?:\/\/\S+(?:\.git|\.tgz|\.tar\.\w+|\.zip|\.whl|\.gem)(?:[#@?].*)?$)|^--git(?:=|$)/;

export const packageRules: readonly CommandRule[] = [
  {
    id: 'package-removal',
    level: 'dangerous',
    sentence: 'Removes packages from the system, and with them whatever depends on them.',
    reversible: true,
    names: managers,
    match(command) {
      if (/^(?:pacman|yay|paru)$/.test(command.name))
        return command.args.find((arg) => /^(?:-R|--remove)/.test(arg.value));
      if (command.name === 'rpm') return option(command, 'e', 'erase');
      if (command.name === 'dpkg')
        return command.args.find((arg) => /^(?:-r|-P|--remove|--purge)$/.test(arg.value));
      if (command.name === 'xbps-remove' || command.name === 'pkg_delete') return true;
      if (command.name === 'nix-env')
        return command.args.find((arg) => /^(?:-e|--uninstall)$/.test(arg.value));
      if (command.name === 'emerge')
        return command.args.find((arg) => /^(?:-[cC]|--unmerge|--depclean)$/.test(arg.value));
      return operands(command, '-o -c -t')
        .slice(0, 2)
        .find(
          (arg) =>
            /^(?:remove|purge|erase|autoremove|autopurge|uninstall|rm|del|delete|unlink|unpin|zap|clean|cleanup|bundle-remove)$/.test(
              arg.value,
            ) && !/^(?:clean|cleanup|unlink|unpin)$/.test(arg.value),
        );
    },
  },
  {
    id: 'package-source',
    level: 'dangerous',
    sentence:
      'Installs a package from somewhere that is no registry, over a connection that anybody can change, or blindly.',
    needs: ['network'],
    names: [
      ...managers,
      ...'npm pnpm yarn bun cargo gem go composer poetry uv pipx conda mamba easy_install helm cpan luarocks opam'.split(
        ' ',
      ),
    ],
    match: (command) =>
      command.args.some((arg) =>
        /^(?:install|add|i|get|download|plugin|x|dlx|run|create|-i|-U|-S\w*|localinstall)$/.test(arg.value),
      )
        ? command.args.find(
            (arg) =>
              /^(?:--[\w-]+=)?(?:[\w.-]+ ?@ ?)?(?:git\+)?http:\/\/(?!localhost|127\.|\[::1\])/.test(
                arg.value,
              ) ||
              // To npm and its like, two names are a repository of GitHub.
              (/^(?:npm|pnpm|yarn|bun)$/.test(command.name) &&
                /^[\w-]+\/[\w.-]+(?:#.*)?$/.test(arg.value) &&
                !/^-|^(?:packages|apps|libs|src|node_modules|workspaces?|dist|\.)\//.test(arg.value)) ||
              // A repository or an archive is code of whoever keeps it, and its set-up runs at once.
              (!/^(?:go|helm|composer)$/.test(command.name) && fromElsewhere.test(arg.value)) ||
              /^(?:--trusted-host|--allow-unauthenticated|--nogpgcheck|--no-gpg-checks?|--force-yes|--allow-untrusted|--no-check-certificate|--insecure)/.test(
                arg.value,
              ),
          )
        : undefined,
  },
  {
    id: 'package-publishing',
    level: 'dangerous',
    sentence: 'Publishes, withdraws or deprecates a package that others install.',
    needs: ['network'],
    names:
      'npm pnpm yarn cargo gem twine poetry flit hatch uv mvn mvnw gradle gradlew dotnet nuget docker pub dart hex mix sbt lerna changeset'.split(
        ' ',
      ),
    match(command) {
      if (isDryRun(command)) return undefined;
      const words = operands(command, '-p --prefix -w --workspace -C');
      const first = words[0]?.value === 'npm' ? words[1] : words[0];
      if (!first) return undefined;
      if (words[0]?.value === 'npm' && command.name !== 'yarn') return undefined;
      if (first.value === 'deprecate') return words.length > 1 ? first : undefined;
      if (command.name === 'twine') return first.value === 'upload' ? first : undefined;
      if (command.name === 'dotnet')
        return first.value === 'nuget' && /^(?:push|delete)$/.test(words[1]?.value ?? '') ? first : undefined;
      if (/^mvnw?$/.test(command.name))
        return words.find((arg) => /^(?:deploy|release:perform)$/.test(arg.value));
      if (command.name === 'gem') return /^(?:push|yank)$/.test(first.value) ? first : undefined;
      return /^(?:unpublish|publish|yank|publishPlugins|publishToMavenCentral|dist-tag|hex\.publish)$/.test(
        first.value,
      )
        ? first.value === 'dist-tag' && !/^(?:add|rm|set)$/.test(words[1]?.value ?? '')
          ? undefined
          : first
        : undefined;
    },
  },
  {
    id: 'package-scripts',
    level: 'dangerous',
    sentence: 'Changes scripts that the package manager runs by itself, or with what it runs them.',
    reversible: true,
    names: 'npm pnpm yarn bun'.split(' '),
    match(command) {
      const [first, second, ...rest] = operands(command, '-p --prefix -w --workspace -C');
      const named = `${first?.value} ${second?.value}`;
      if (first?.value === 'set-script') return first;
      if (named === 'pkg set') return rest.find(({ value }) => /^["']?scripts\b/.test(value));
      if (!/^(?:config set|c set|set \S+)$/.test(named)) return undefined;
      const key = first?.value === 'set' ? second : rest[0];
      return /^(?:script-?shell|shell|node-?options|yarnPath|plugins|git|init-?module|onload-script|registry)\b/i.test(
        key?.value ?? '',
      )
        ? key
        : undefined;
    },
  },
];
