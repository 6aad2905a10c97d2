interface Suite {
  /** Vitest's mode, by which vitest.config.ts selects the files. */
  mode: string
  /** How often they repeat things. */
  env: Record<string, string>
}

const suites: Record<string, Suite> = {
  all: { mode: 'test', env: {} },
  races: {
    mode: 'races',
    env: {
      SVC_TEST_ROUNDS: '500',
      SVC_TEST_RUNS: '300',
      SVC_TEST_SCHEDULES: '500',
      SVC_TEST_VALUES: 'all',
    },
  },
  faults: { mode: 'faults', env: { SVC_TEST_VALUES: 'all' } },
  fuzz: { mode: 'fuzz', env: { SVC_TEST_REQUESTS: '20000', SVC_TEST_VALUES: 'all' } },
  long: {
    mode: 'long',
    env: {
      SVC_TEST_ROUNDS: '10000',
      SVC_TEST_REQUESTS: '1000000',
      SVC_TEST_SAMPLES: '2000',
      SVC_TEST_RUNS: '5000',
      SVC_TEST_SCHEDULES: '10000',
      SVC_TEST_VALUES: 'all',
    },
  },
}

/**
 * The suite of `suite=races`, all without such an argument, and the rest of the arguments for
 * vitest.
 */
export function suiteOf(given: string[]) {
  const [first = '', ...rest] = given
  const named = /^suite=(.*)$/.exec(first)?.[1]
  const suite = suites[named ?? 'all']
  if (suite === undefined) {
    throw new Error(`There is no suite ${named}. There are ${Object.keys(suites).join(', ')}.`)
  }
  return { ...suite, args: named === undefined ? given : rest }
}
