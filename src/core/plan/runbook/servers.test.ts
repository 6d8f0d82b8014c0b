import { describe, expect, test } from 'vitest';
import { shellText } from '../../contract/index.ts';
import { parseRunbook } from './parse.ts';
import { serverIn } from './servers.ts';

describe('a server is known', () => {
  test.each([
    ['flask run', '', { name: 'flask', port: null }],
    ['flask run --port 5001', '', { name: 'flask', port: 5001 }],
    [
      'npx json-server@1 db.json',
      'It answers at http://localhost:3000.',
      { name: 'json-server', port: 3000 },
    ],
    ['npm start', '# Open 127.0.0.1:3000', { name: 'npm', port: 3000 }],
    ['cd site\npython3 -m http.server 8080', '', { name: 'python3', port: 8080 }],
    ['python -m http.server -d site', 'port 9', { name: 'python', port: 8000 }],
    ['./redis-server --port 9999', '', { name: 'redis-server', port: 9999 }],
    ['npx @x/builder --serve', 'at http://localhost:8080/', { name: 'builder', port: 8080 }],
    ['fastify start plugin.js -p 3001', '', { name: 'fastify', port: 3001 }],
    ['npm run dev', '', { name: 'npm', port: null }],
    ['yarn run dev', 'listening on port 5173', { name: 'yarn', port: 5173 }],
    ["docker run --rm -p '127.0.0.1:9000:80' x/y:latest", '', { name: 'docker', port: 9000 }],
    ['podman run --publish=8080:80/tcp x', 'http://localhost:80', { name: 'podman', port: 8080 }],
    ['docker compose -f dev.yml up --build', 'port 8000', { name: 'docker', port: 8000 }],
  ])('%j with %j', (text, around, expected) => {
    expect(serverIn(text, around)).toEqual(expected);
  });

  test.each([
    ['npm start', 'It does something.'],
    ['npm install', 'http://localhost:3000'],
    ['curl http://localhost:3000/posts', 'http://localhost:3000'],
    ['npm start &', 'http://localhost:3000'],
    ['make && npm start', 'http://localhost:3000'],
    ['flask run --help', ''],
    ['json-server a\njson-server b', ''],
    ['tail -f log', 'port 3000'],
    ['docker run -d -p 80:80 x', ''],
    ['docker run -itd -p 80:80 x', ''],
    ['docker run --rm -it -p 80:80 x', ''],
    ['docker run --rm x', 'http://localhost:3000'],
    ['docker-compose up -d', 'http://localhost:3000'],
  ])('%j with %j is none', (text, around) => {
    expect(serverIn(text, around)).toBeNull();
  });
});

test('it becomes a service that is ready at its port, and is not started twice', () => {
  const page =
    '# P\n\n```console\n$ flask run\n * Running on http://127.0.0.1:5000/\n```\n\n```sh\ncurl localhost:5000\n```\n\nAgain:\n\n```sh\nflask run --port 5000\n```\n';
  const result = parseRunbook(page, { file: 'P.md' });
  if (!result.ok) throw new Error('refused');
  expect(result.plan.steps).toMatchObject([
    {
      action: { kind: 'start', name: 'flask', command: 'flask run', keep: false },
      expects: 'port 5000 open',
    },
    { action: { kind: 'run-script', script: 'curl localhost:5000' } },
  ]);
  expect(result.warnings).toMatchObject([{ message: 'Left out: line 4 has started what answers there.' }]);
});

test('the same command elsewhere is the same server, also where no port stands beside it', () => {
  const page =
    '# P\n\n```sh\nnpm start\n# Open localhost:3000\n```\n\n## Q\n\n```sh\n$ npm start\n$ node client\n```\n';
  const result = parseRunbook(page, { file: 'P.md' });
  expect(result.ok && result.plan.steps.map(({ action }) => action.kind)).toEqual(['start', 'run-command']);
});

test('what its author says of a block is stronger', () => {
  const page =
    '<!-- planwright: run -->\n```sh\nflask run\n```\n<!-- planwright: expects="port 1 open" -->\n```sh\nflask run\n```';
  const result = parseRunbook(page, { file: 'P.md' });
  expect(result.ok && result.plan.steps).toMatchObject([
    { action: { kind: 'run-script' } },
    { action: { kind: 'start' }, expects: 'port 1 open' },
  ]);
});

test('lines of an indented block are its own', () => {
  const result = parseRunbook('# P\n\nDo:\n\n    % make\n    % make test\n', { file: 'P.md' });
  expect(result.ok && result.plan.steps.map(({ source }) => source?.line)).toEqual([5, 6]);
});

describe('what a block does besides starting a server are steps of their own', () => {
  const steps = (text: string, below = '') => {
    const result = parseRunbook(`# P\n\n\`\`\`sh\n${text}\n\`\`\`\n\n${below}\n`, { file: 'P.md' });
    if (!result.ok) throw new Error('refused');
    return result.plan.steps.map(
      ({ action, source }) => `${source?.line} ${action.kind} ${shellText(action)}`,
    );
  };
  test.each([
    [
      'npm install\n\n# Start it\nnpm run dev',
      '',
      ['4 run-script npm install', '6 start # Start it\nnpm run dev'],
    ],
    [
      'cd app && npm ci && npm run dev # and wait\n',
      '',
      ['4 run-script cd app && npm ci', '4 start npm run dev # and wait'],
    ],
    [
      'make; flask run\ncurl localhost',
      '',
      ['4 run-script make', '4 start flask run', '5 run-script curl localhost'],
    ],
    [
      'python manage.py migrate\npython manage.py runserver',
      'Open http://localhost:8000.',
      ['4 run-script python manage.py migrate', '5 start python manage.py runserver'],
    ],
    ['cd app\nflask run', '', ['3 start cd app\nflask run']],
    ['json-server a\njson-server b', '', ['3 run-script json-server a\njson-server b']],
    ['make || flask run', '', ['3 run-script make || flask run']],
  ])('%j', (text, below, expected) => {
    expect(steps(text, below)).toEqual(expected);
  });
});
