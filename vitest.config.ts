import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mutantPlugin } from './scripts/mutants/mutate.ts'

const long = '**/*.long.test.ts'
/** What `npm run test:races`, `test:faults` and `test:fuzz` run; `test:long` runs all of them. */
const rigs: Record<string, string[]> = {
  races: [
    'packages/auth/src/trials/{races,model}/*.test.ts',
    'packages/auth/src/admin-seed/admin-seed.test.ts',
    'packages/core/src/events/broadcast-order.test.ts',
    'packages/core/src/streams/trials/*.test.ts',
  ],
  faults: ['packages/*/src/**/faults/*.test.ts'],
  fuzz: ['packages/*/src/**/fuzz/*.test.ts'],
}
// What a bench makes an application of is a copy with tests of its own.
const exclude = [...configDefaults.exclude, '**/.next/**', '**/.generated/**']

/**
 * What they hold is of the process: its memory, its listeners, its signals, how busy it is, what is set for all of it,
 * or a module that stands in for another.
 */
const ofTheProcess = [
  'apps/starter/web/browser/*.test.ts',
  '**/{faults,embedded,dbsc}/*.test.ts',
  '**/*{outage,memory,socket-limits}.test.ts',
  '**/{stop,run-server,token-store}.test.ts',
  '**/{configure-auth,configure-web-app,configured-cipher,custom-provider}.test.ts',
  'packages/auth/src/social/{get-provider-access-token,browser/leaving}.test.ts',
  'packages/web/src/session/renewal.test.ts',
  '**/{guards,proxy-guard/pages,page-locale,support-code-page,waiting-sign-in,hostile-headers,hash-queue,event-broadcaster}.test.ts',
]

/** They compare times, or count what is done while something else is. Nothing runs beside them, after all others. */
const byTheClock = [
  '**/enumeration/time.test.ts',
  '**/attacks/hash-queue.test.ts',
  '**/faults/{balancers,failover}.test.ts',
]

const timed = { name: 'timed', include: byTheClock, exclude: [...exclude, long], maxWorkers: 1 }

/** Each file has a process of its own. */
const alone = { name: 'alone', include: ofTheProcess, exclude: [...exclude, ...byTheClock, long] }

/** Files take turns in a process and share its modules: loading them is most of the work of a small file. */
const inTurn = {
  name: 'in turn',
  include: ['{apps,bench,examples,packages,scripts}/**/*.test.{ts,tsx}'],
  exclude: [...exclude, long, ...ofTheProcess, ...byTheClock],
  isolate: false,
  setupFiles: ['scripts/test/between-files.ts'],
  unstubEnvs: true,
  unstubGlobals: true,
}

/** The longest files: begun last, they would run while all else has ended. */
const longest = [
  'apps/starter/web/browser/web-app.test.ts',
  'bench/smoke.test.ts',
  'apps/starter/web/browser/plain-app.test.ts',
  'packages/cli/src/generate/generate.test.ts',
  'packages/cli/src/dev/dev.test.ts',
  'packages/core/src/events/broadcast-outage.test.ts',
  'packages/auth/src/trials/races/replay.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((path) => moduleId.endsWith(`/${path}`))
      return at === -1 ? longest.length : at
    }
    // oxlint-disable-next-line unicorn/no-array-sort -- it is the sequencer's own
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(one) - rank(other))
  }
}

function projectsOf(mode: string) {
  const rig = rigs[mode]
  if (rig) return [{ name: mode, include: rig, exclude }]
  if (mode === 'long')
    return [{ name: mode, include: [long, ...Object.values(rigs).flat()], exclude }]
  return [alone, inTurn, timed]
}

/** What `npm run test:mutants` takes away for this run. */
const mutant = process.env.SVC_TEST_MUTANT

export default defineConfig(({ mode }) => ({
  plugins: mutant ? [mutantPlugin(mutant)] : [],
  resolve: { conditions: ['svc-source', 'node'] },
  ssr: {
    resolve: { conditions: ['svc-source', 'node'], externalConditions: ['svc-source', 'node'] },
  },
  test: {
    projects: projectsOf(mode).map((test) => ({ extends: true as const, test })),
    // Keeps the embedded PostgreSQL up between test files.
    globalSetup: ['packages/core/src/testing/keep-test-server.ts'],
    // Most of a test waits for a database or a browser, so four run at a time on two cores.
    maxWorkers: Math.max(4, availableParallelism() - 1),
    sequence: { sequencer: LongestFirst },
    // Threads that hash stand behind all else that a machine does, so that a busy one makes them wait.
    testTimeout: mode === 'test' ? 60_000 : 3_600_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
}))
