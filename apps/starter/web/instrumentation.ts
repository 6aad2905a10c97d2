/** Runs before the first request. Next compiles it for its Edge runtime too, which has no `process.exit`. */
export async function register() {
  if (process.env.NEXT_RUNTIME === 'nodejs') await import('./instrumentation-node.ts')
}
