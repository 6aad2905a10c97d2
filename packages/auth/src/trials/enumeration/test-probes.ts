import type { AuthContract } from '../../auth-contract.ts'
import { createTestKey } from '../../testing.ts'
import type { subjects } from './unsigned-operations.ts'

type Subjects = typeof subjects
type OfAccount = {
  [Name in keyof Subjects]: Subjects[Name] extends 'account' ? Name : never
}[keyof Subjects]

/** A request about an address by somebody who has nothing of its account's. */
export interface Probe {
  readonly operation: keyof AuthContract
  readonly ask: (email: string) => object
  /** It has something sent, where there is an account, or where there is none. */
  readonly sends?: true
}

const { registration } = await createTestKey()
const password = 'not the password'
const verificationToken = 'none'
const code = (purpose: string) => (target: string) => ({ target, targetType: 'email', purpose })

/** Each operation that is asked about an account, in each way in which it can be. */
const probes = {
  login: {
    'a wrong password': { ask: (email) => ({ email, password, ...registration }) },
    'a wrong token': { ask: (email) => ({ email, verificationToken, ...registration }) },
  },
  cancelAccountDeletion: {
    'a wrong password': { ask: (email) => ({ email, password }) },
    'a wrong token': { ask: (email) => ({ email, verificationToken }) },
  },
  register: {
    'a wrong token': {
      ask: (email) => ({ email, verificationToken, password, ...registration }),
    },
  },
  sendVerificationCode: {
    registration: { ask: code('registration'), sends: true },
    login: { ask: code('login'), sends: true },
    'password reset': { ask: code('password_reset'), sends: true },
    'account deletion': { ask: code('account_deletion'), sends: true },
  },
  verifyCode: {
    'a wrong code': { ask: (email) => ({ ...code('login')(email), code: '12345x' }) },
  },
  requestSignupLink: { 'a link': { ask: (email) => ({ email }), sends: true } },
  requestPasswordReset: { 'a link': { ask: (email) => ({ email }), sends: true } },
} satisfies Record<OfAccount, Record<string, Omit<Probe, 'operation'>>>

/** The same by its title: `login, a wrong password`. */
export const everyProbe: Record<string, Probe> = Object.fromEntries(
  Object.entries(probes).flatMap(([operation, ways]) =>
    Object.entries(ways as Record<string, Omit<Probe, 'operation'>>).map(([way, probe]) => [
      `${operation}, ${way}`,
      { operation: operation as OfAccount, ...probe },
    ]),
  ),
)
