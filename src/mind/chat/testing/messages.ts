/**
 * What people ask, and whether a plan should be agreed on first: written before the scorer. `plan`: several pieces of work
 * that depend on each other, or reach through more than one file. Every second line, from the second on, is held back:
 * nothing is tuned on it.
 */
const table = `
plan | Refactor the authentication module to use JWT instead of sessions
plan | Move all the validation helpers out of utils.ts into their own files and update the imports
plan | Extract the payment logic from checkout.ts into a separate service and add tests for it
plan | Implement a rate limiter for the API, with configuration, middleware and tests
plan | Restructure the project so that every feature has its own folder
plan | Migrate the database layer from Sequelize to Prisma and fix every query that uses it
plan | Split server.ts into routes.ts, middleware.ts and app.ts, then make sure that the tests still pass
plan | Rename UserService to AccountService everywhere, update the docs and run the test suite
plan | Add OAuth login with Google: backend routes, a database table and a button on the login page
plan | Upgrade React from 17 to 19 and fix whatever breaks
plan | We need to redesign the plugin architecture so that plugins are loaded lazily and can depend on each other
plan | Convert src/index.js, src/util.js and src/cli.js to TypeScript
plan | Implement pagination in the list endpoint and in the frontend table, and write an integration test
plan | Replace moment with date-fns across the code base and remove the dependency
plan | Set up CI with lint, tests and a build, then publish a Docker image on every tag
plan | Refactor config.ts and loader.ts so that they no longer depend on each other
plan | Introduce a repository pattern between controllers and models, and move the queries there
plan | Extract a shared component library from web/ and admin/, and use it in both
plan | Create a new REST endpoint /orders with validation, persistence, tests and documentation
plan | Find the circular dependencies in src/, break them up and add a check to CI that keeps them out
plan | Move the cron jobs into a queue worker: extract the jobs, add a queue, deploy a second process
plan | Implement dark mode: a toggle, stored preference, and new styles for all pages
plan | Restructure the monorepo: move packages/a and packages/b under libs/, fix imports, update the build
plan | Write a migration that splits the name column into first and last name, update the model and backfill the data
plan | Add internationalisation: extract all strings, set up a translation file for German and French, and add a language switch
plan | Build a small blog: posts in Markdown, an index page, an RSS feed and a deploy script
plan | Refactor this module into smaller functions, add unit tests for each and update the README
plan | Port the build from webpack to vite, make sure dev server, tests and production build work
plan | Implement the design in docs/design.md
plan | Set up a new Express project with TypeScript, ESLint, Jest and a health check endpoint
plan | Replace the in-memory cache by Redis, make it configurable and fall back to memory when Redis is down
plan | Refactor the error handling: one error class per module, an error middleware, and consistent status codes
plan | Move auth.ts to src/auth/index.ts, split out tokens.ts and sessions.ts and adapt everything that imports them
plan | Add logging to every service, with a correlation id that is passed from the gateway to the workers
plan | Implement undo and redo for the editor
plan | Extract the SQL from handlers.go into queries.go and add prepared statements
plan | Restructure tests: unit tests beside the source, integration tests in test/, and two npm scripts to run them
plan | Update all dependencies to their latest major versions, one after another, and run the tests after each
plan | Turn this script into a command line tool with subcommands init, build and deploy
plan | Implement an event-driven architecture between orders and inventory with a message broker
plan | Decouple the UI from the API client: introduce an interface, implement it for HTTP and for a mock, inject it
plan | Delete the legacy billing module, but first move what is still used to billing/core.ts
plan | Rewrite the parser as a recursive descent parser and keep all existing tests green
plan | Add a Dockerfile and docker-compose.yml with postgres, then change the config so that the app reads its settings from the environment
plan | Make the app multi-tenant: tenant id on all tables, scoped queries, and a middleware that finds the tenant
plan | Implement file uploads: an endpoint, storage on S3, virus scan, and a progress bar in the page
plan | Refactor a.py and b.py to share their common code in common.py
plan | Create a backup script for the database, schedule it nightly, and document how to restore
plan | Replace all callbacks in lib/ with async/await and simplify the error handling while you are there
plan | First add a feature flag system, then put the new checkout behind a flag, then write a test for both ways
plan | Move from npm to pnpm workspaces, including CI and the Dockerfile
plan | Extract interfaces for all adapters and implement an in-memory version of each for tests
plan | Implement search: index the documents, an endpoint with filters, and highlight the matches in the UI
plan | Reorganise the CSS: extract variables, move component styles next to components, remove what is unused
plan | Set up end-to-end tests with Playwright, write three of them and run them in CI
plan | Analyse how our modules depend on each other and restructure them into layers
plan | Add a permissions system with roles, check it in each route, and write tests for admins and guests
plan | Convert the class components in src/components to hooks, then drop the old lifecycle helpers
plan | Implement webhooks: registration endpoint, signed delivery with retries, and a page that lists deliveries
plan | Refactor store.ts, reducer.ts and actions.ts to Redux Toolkit
plan | Generate an OpenAPI spec from the routes, serve it at /docs and generate a typed client from it
plan | Move user settings from localStorage to the server: schema, endpoints, sync on login, migration of old values
plan | Please restructure how we handle configuration, it is spread over config.ts, env.ts and settings.json
plan | Design and implement a caching layer for the product pages
plan | Fix the failing tests in test/api.test.ts and test/db.test.ts, then update the changelog and bump the version
chat | Hello
chat | hi there!
chat | Good morning, how are you?
chat | Thanks, that was helpful
chat | What does this function do?
chat | What is a closure in JavaScript?
chat | Why does npm test fail?
chat | Show me the contents of package.json
chat | How do I refactor a class in TypeScript?
chat | Which files import utils.ts?
chat | Run the tests
chat | Fix the typo in README.md
chat | What is dependency injection?
chat | Explain the architecture of this project
chat | Add a comment above the main function
chat | Rename the variable x to count in loop.ts
chat | list all TODO comments
chat | What is the difference between let and const?
chat | Is there a test for the parser?
chat | Delete the file tmp.txt
chat | Where is the port configured?
chat | How many lines of code does src have?
chat | Can you explain what refactoring means?
chat | Should I use Redux or Zustand?
chat | what's in config.ts
chat | Change the port to 8080
chat | git status
chat | Please format index.ts
chat | What does the move method in board.ts do?
chat | Which version of node do I have?
chat | Does a.ts depend on b.ts?
chat | Compare config.dev.json and config.prod.json for me
chat | Summarise the README in two sentences
chat | ok
chat | yes please
chat | no, the other one
chat | Why is the build so slow?
chat | Create an empty file called notes.md
chat | What time is it?
chat | Bump the version in package.json to 1.2.0
chat | Undo that
chat | Tell me a joke
chat | How does the design of the event loop work?
chat | Print the last 20 lines of server.log
chat | What would you extract from this function?
chat | Install lodash
chat | Is it a good idea to restructure the repo now?
chat | Who wrote this line?
chat | Find where parseConfig is defined
chat | Add a semicolon at the end of line 3 in app.js
chat | Which design pattern is used in factory.ts?
chat | What are the dependencies of this project?
chat | Write a haiku about refactoring
chat | Remove the console.log in src/main.ts
chat | How do I move a file with git?
chat | What did you just change?
chat | Make the heading in index.html bigger
chat | What implements the Store interface?
chat | Can you see the file src/app.ts?
chat | Start the dev server
chat | Increase the timeout in test/api.test.ts to ten seconds
chat | Is lodash an outdated dependency?
chat | Describe what a.ts, b.ts and c.ts do
chat | Hey, can you help me with something?
chat | What is the best architecture for a small web app?
chat | Set DEBUG to true in .env.example
chat | Why did step 4 fail?
chat | Translate the error message in line 12 to English
chat | Check whether eslint is happy
chat | Write a function that reverses a string
chat | Do we implement the observer pattern anywhere?
`;

export interface Labelled {
  message: string;
  plan: boolean;
}

export const labelled: readonly Labelled[] = table
  .trim()
  .split('\n')
  .map((line) => {
    const [label, message] = line.split(' | ') as [string, string];
    return { message, plan: label === 'plan' };
  });

export const tuning = labelled.filter((_, at) => at % 2 === 0);
export const heldBack = labelled.filter((_, at) => at % 2 === 1);
