import type { Phase, Pipeline } from '@tasks';
import { visible } from '@told';
import { useEffect, useMemo, useRef } from 'react';
import { type DiagramNode, diagramOf, NODE } from '../../model/pipeline-view.ts';
import { cx } from '../../ui/cx.ts';

interface PipelineDiagramProps {
  pipeline: Pipeline;
  status: string;
  previous: string;
  phases: readonly Phase[];
}

/** The pipeline with the task's place in it. What has been worked through is brighter; ways on are drawn through. */
export function PipelineDiagram({ pipeline, status, previous, phases }: PipelineDiagramProps) {
  const { width, height, nodes, edges } = useMemo(
    () => diagramOf(pipeline, status, previous),
    [pipeline, status, previous],
  );
  const box = useRef<HTMLDivElement>(null);
  const here = nodes.find(({ name }) => name === status);
  const x = here?.x ?? 0;
  useEffect(() => {
    const element = box.current;
    if (element !== null) element.scrollLeft = x - element.clientWidth / 2;
  }, [x]);
  const been = new Set(phases.map(({ mode }) => mode));
  const wasAt = ({ name }: DiagramNode) => {
    const mode = pipeline.statuses.find((one) => one.name === name)?.mode;
    return name === pipeline.initial || (mode !== undefined && been.has(mode));
  };
  const onward = edges
    .filter(({ open }) => open)
    .map(({ to }) => nodes.find(({ name }) => name === to)?.title);
  const told = `Pipeline. The task is at ${here?.title ?? status}${onward.length === 0 ? '' : `; from there to ${onward.join(', ')}`}.`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <div ref={box} tabIndex={0} className="shrink-0 overflow-x-auto border-b bg-surface px-2">
      <svg
        role="img"
        aria-label={visible(told)}
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="mx-auto block"
      >
        <defs>
          <marker
            id="way-on"
            viewBox="0 0 6 6"
            refX="5.500"
            refY="3"
            markerWidth="6"
            markerHeight="6"
            orient="auto"
          >
            <path d="M0 0.500L5.500 3L0 5.500" fill="none" stroke="var(--dim)" />
          </marker>
        </defs>
        {edges.map(({ from, to, d, open }) => (
          <path
            key={`${from} ${to}`}
            d={d}
            fill="none"
            stroke={open ? 'var(--dim)' : 'var(--line-strong)'}
            strokeWidth={open ? 1.5 : 1}
            {...(open ? { markerEnd: 'url(#way-on)' } : {})}
          />
        ))}
        {nodes.map((node) => (
          <StatusBox key={node.name} node={node} isHere={node === here} wasAt={wasAt(node)} />
        ))}
      </svg>
    </div>
  );
}

const tones: Record<DiagramNode['kind'], string> = {
  open: 'var(--text)',
  working: 'var(--mind)',
  waiting: 'var(--wait)',
  ended: 'var(--done)',
};
const grounds: Record<DiagramNode['kind'], string> = {
  open: 'var(--raised)',
  working: 'var(--mind-bg)',
  waiting: 'var(--wait-bg)',
  ended: 'var(--done-bg)',
};

function StatusBox({ node, isHere, wasAt }: { node: DiagramNode; isHere: boolean; wasAt: boolean }) {
  const { x, y, title, kind } = node;
  return (
    <g data-status={node.name} {...(isHere ? { 'data-here': true } : {})}>
      <rect
        x={x - NODE.width / 2}
        y={y - NODE.height / 2}
        width={NODE.width}
        height={NODE.height}
        rx={6}
        fill={isHere ? grounds[kind] : 'var(--bg)'}
        stroke={isHere ? tones[kind] : wasAt ? 'var(--node)' : 'var(--line)'}
        strokeWidth={isHere ? 1.5 : 1}
      />
      <text
        x={x}
        y={y}
        textAnchor="middle"
        dominantBaseline="central"
        className={cx('text-[12px]', isHere && 'font-semibold')}
        fill={isHere ? tones[kind] : wasAt ? 'var(--text)' : 'var(--faint)'}
      >
        {visible(title.length > 15 ? `${title.slice(0, 14)}…` : title)}
      </text>
    </g>
  );
}
