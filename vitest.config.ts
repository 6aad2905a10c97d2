import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { mutantPlugin } from './scripts/mutants/mutate.ts'

const long = '**/*.long.test.ts'
/** What `npm run test:races`, `test:faults` and `test:fuzz` run; `test:long` runs all of them. */
export const rigs: Record<string, string[]> = {
  races: [
    'packages/auth/src/trials/{races,model}/*.test.ts',
    'packages/auth/src/admin-seed/admin-seed.test.ts',
    'packages/core/src/events/broadcast-order.test.ts',
    'packages/core/src/streams/trials/*.test.ts',
  ],
  faults: ['packages/*/src/**/faults/*.test.ts'],
  fuzz: ['packages/*/src/**/fuzz/*.test.ts'],
}
/**
 * They run with few of their values in `npm test`: see scripts/test/or-few.ts. `npm run test:long` runs them with all.
 */
export const withFewValues = [
  'packages/auth/src/import/import-export.test.ts',
  'packages/auth/src/links/return-path.test.ts',
  'packages/auth/src/trials/attacks/{cross-matrix,fresh-proof,mailed-links,odd-input}.test.ts',
  'packages/auth/src/trials/enumeration/time.test.ts',
  'packages/core/src/server/several-processes.test.ts',
  'packages/core/src/streams/delivery/fan-out.test.ts',
  'packages/core/src/streams/gaps.test.ts',
  'packages/core/src/streams/presence/{presence,presence-instances}.test.ts',
  'packages/web/src/csrf/{csrf-matrix,second-site}.test.ts',
  'scripts/documents/{foreign-clients,site}.test.ts',
  'scripts/start/sign-in-under-dev.test.ts',
]
// What a bench makes an application of is a copy with tests of its own.
const exclude = [...configDefaults.exclude, '**/.next/**', '**/.generated/**']

/**
 * What they hold is of the process: its memory, its listeners, its signals, how busy it is, what is set for all of it,
 * or a module that stands in for another.
 */
export const ofTheProcess = [
  'apps/starter/web/browser/*.test.ts',
  'scripts/callers/{elsewhere,in-organizations}.test.ts',
  '**/{faults,embedded,dbsc}/*.test.ts',
  '**/*{outage,memory,socket-limits}.test.ts',
  '**/{stop,run-server,token-store}.test.ts',
  '**/{configure-auth,configure-web-app,configured-cipher,custom-provider}.test.ts',
  'packages/auth/src/social/{get-provider-access-token,browser/leaving}.test.ts',
  'packages/web/src/{session/renewal,logout/*,consent/sign-in-elsewhere}.test.ts',
  '**/{guards,proxy-guard/pages,page-locale,support-code-page,waiting-sign-in,hostile-headers,hash-queue,event-broadcaster}.test.ts',
  '**/{console-part,settings-page}.test.tsx',
]

/**
 * They compare times, count what is done while something else is, or take it for an outage when nothing is done for a
 * second. Nothing runs beside them, after all others.
 */
const byTheClock = [
  '**/events/broadcast-order.test.ts',
  '**/enumeration/time.test.ts',
  '**/attacks/hash-queue.test.ts',
  '**/faults/{balancers,failover,postgres}.test.ts',
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
  'scripts/documents/examples.test.ts',
  'packages/cli/src/dev/dev.test.ts',
  'packages/cli/src/people/people.test.ts',
  'packages/cli/src/generate/generate.test.ts',
  'packages/core/src/server/several-processes.test.ts',
  'packages/core/src/database/embedded/embedded.test.ts',
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
  if (mode === 'long') {
    const include = [long, ...withFewValues, ...Object.values(rigs).flat()]
    return [{ name: mode, include, exclude }]
  }
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
    // In production, threads that hash stand behind all else that a machine does. While tests keep it busy, a password would
    // take half a minute. Applications that tests start have the fewest rounds; a test of them sets its own.
    env: { SVC_AUTH_BCRYPT_SALT_ROUNDS: '4', SVC_AUTH_HASH_NICE: '0' },
    testTimeout: mode === 'test' ? 60_000 : 3_600_000,
    hookTimeout: 60_000,
    restoreMocks: true,
  },
}))
