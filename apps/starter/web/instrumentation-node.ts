import { checkEnvironment } from './env/check-environment.ts'

try {
  checkEnvironment()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  // Next logs what is thrown here, stays up and answers every request with an error.
  process.exit(1)
}
