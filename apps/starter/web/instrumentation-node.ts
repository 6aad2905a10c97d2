import { checkEnvironment } from './env/check-environment.ts'

try {
  checkEnvironment()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  // If this throws, Next only logs it, stays up and answers every request with an error.
  process.exit(1)
}
