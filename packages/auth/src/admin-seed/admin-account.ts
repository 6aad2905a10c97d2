import { normaliseEmail, normalisePhone } from '../accounts/identifier.ts'
import type { GivenAccount } from './given-accounts.ts'
import { passwordProblem } from './password-problem.ts'

/** An account that a server begins with. */
export interface AdminAccount {
  readonly email: string
  readonly phone: string | null
  readonly password: string
  readonly role: string
  readonly passwordChangeRequired: boolean
}

interface Rules {
  isProduction: boolean
  /** Told what is wrong, in words that repeat nothing of it: a password may be in the wrong place. */
  problems: string[]
}

const names = ['email', 'phone', 'password', 'role', 'passwordChangeRequired']
const roles = ['user', 'admin', 'superadmin']

/** Reads an account. What it answers beside a problem is for nobody. */
export function readAdminAccount(
  { members, nameOf }: GivenAccount,
  { isProduction, problems }: Rules,
): AdminAccount {
  const { role = 'user', passwordChangeRequired = true } = members
  const email = normalised(members.email, normaliseEmail)
  const phone = members.phone === undefined ? null : normalised(members.phone, normalisePhone)
  const password = typeof members.password === 'string' ? members.password : ''
  const wrong = {
    email: email === '' && 'must be an email address',
    phone: phone === '' && 'must be a phone number such as +12025550123',
    password: passwordProblem(password, { email, isProduction }),
    role: !roles.some((name) => name === role) && `must be one of: ${roles.join(', ')}`,
    passwordChangeRequired: typeof passwordChangeRequired !== 'boolean' && 'must be true or false',
    '*':
      Object.keys(members).some((name) => !names.includes(name)) &&
      `must be one of: ${names.join(', ')}`,
  }
  for (const [member, problem] of Object.entries(wrong)) {
    if (problem) problems.push(`${nameOf(member)} ${problem}`)
  }
  return {
    email,
    phone,
    password,
    role: roles.find((name) => name === role) ?? '',
    passwordChangeRequired: passwordChangeRequired !== false,
  }
}

function normalised(given: unknown, normalise: (text: string) => string) {
  try {
    return typeof given === 'string' ? normalise(given) : ''
  } catch {
    return ''
  }
}
