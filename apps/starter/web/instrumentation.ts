import { checkEnvironment } from './env/check-environment.ts'

/** Runs before the first request: a web app that lacks a variable does not start. */
export function register() {
  checkEnvironment()
}
