import { secretProblem, type Variable } from '@svc/core/env'

const remedy = 'openssl rand -base64 32 makes one'

export const sessionSecret: Variable<string> = (given) => {
  if (given === undefined) return { problem: `is required; ${remedy}` }
  const problem = secretProblem(given)
  return problem === null ? { value: given } : { problem: `${problem}; ${remedy}` }
}

/** Secrets that were in use before, separated by commas. They still open what they have sealed. */
export const previousSecrets: Variable<readonly string[]> = (given) => {
  const secrets = given?.split(',').map((each) => each.trim()) ?? []
  const problem = secrets.map(secretProblem).find((each) => each !== null)
  return problem === undefined ? { value: secrets } : { problem: `${problem}, each of them` }
}
