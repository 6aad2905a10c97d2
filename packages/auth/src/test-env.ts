const amount = (name: string, usual: number) => Number(process.env[name] ?? usual)

// How much a test repeats. The suites in scripts/test/suites.ts ask for more.
export const rounds = amount('SVC_TEST_ROUNDS', 4)
/** Of the rounds, for races that are variants of a row's own. */
export const shareOfVariants = amount('SVC_TEST_SHARE_OF_VARIANTS', 0.05)
export const requests = amount('SVC_TEST_REQUESTS', 2000)
export const samples = amount('SVC_TEST_SAMPLES', 200)
export const runs = amount('SVC_TEST_RUNS', 8)
