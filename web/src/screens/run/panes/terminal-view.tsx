import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { Terminal } from '@xterm/xterm';
import '@xterm/xterm/css/xterm.css';
import { useEffect, useRef } from 'react';
import type { Output } from '../../../api/use-output.ts';

const plain = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const colours = [...plain, ...plain.map((name) => `bright-${name}`)];
const camel = (name: string) => name.replace(/-(.)/, (_, letter: string) => letter.toUpperCase());

/** For output that moves the cursor: progress bars, boxes, screens. Nothing can be typed into it. */
export function TerminalView({ output, query }: { output: Output; query: string }) {
  const box = useRef<HTMLDivElement>(null);
  const terminal = useRef<{ xterm: Terminal; search: SearchAddon; written: number } | null>(null);
  useEffect(() => {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string) => style.getPropertyValue(name).trim();
    const xterm = new Terminal({
      convertEol: true,
      disableStdin: true,
      scrollback: 100_000,
      fontFamily: '"JetBrains Mono Variable", ui-monospace, monospace',
      fontSize: 12.5,
      lineHeight: 1.2,
      theme: {
        background: value('--code'),
        foreground: value('--dim'),
        cursor: 'transparent',
        ...Object.fromEntries(colours.map((name) => [camel(name), value(`--ansi-${name}`)])),
      },
    });
    // A link of a program says one address and leads to another: there are none here.
    xterm.parser.registerOscHandler(8, () => true);
    const fit = new FitAddon();
    const search = new SearchAddon();
    xterm.loadAddon(fit);
    xterm.loadAddon(search);
    xterm.open(box.current!);
    fit.fit();
    const watch = new ResizeObserver(() => fit.fit());
    watch.observe(box.current!);
    terminal.current = { xterm, search, written: 0 };
    return () => {
      watch.disconnect();
      terminal.current = null;
      xterm.dispose();
    };
  }, []);
  useEffect(() => {
    const held = terminal.current;
    if (held === null) return;
    for (; held.written < output.chunks.length; held.written += 1)
      held.xterm.write(output.chunks[held.written]!);
  }, [output]);
  useEffect(() => {
    if (query !== '') terminal.current?.search.findNext(query);
  }, [query]);
  return <div ref={box} className="min-h-0 flex-1 overflow-hidden px-3 py-2" />;
}
