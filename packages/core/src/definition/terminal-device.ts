import type { SignRequest } from '../call/call.ts'

/** How the command is a device of an account, at an API that runs: what `svc login` and `svc call` use. */
export interface TerminalDevice {
  /** Makes a key, shows a code, and waits until the user has decided on another device. */
  readonly signIn: (given: TerminalSignIn) => Promise<TerminalAccount>
  /** Whose key is in the file; null where there is none, or where it is signed out. */
  readonly account: (key: TerminalKey) => Promise<TerminalAccount | null>
  /** Signs requests with the key in the file; null where there is none. */
  readonly signer: (key: TerminalKey) => Promise<SignRequest | null>
  /** Ends the key at the API, and deletes the file. */
  readonly signOut: (key: TerminalKey) => Promise<void>
  /** What a user can prove in a terminal, by the name of the error that asks for it. */
  readonly proofs: Readonly<Record<string, TerminalProof>>
}

/** A private key in a file, and the API that knows its public half. */
export interface TerminalKey {
  readonly baseUrl: string
  readonly file: string
}

/** A sign-in from a terminal, and how to show its code. */
export interface TerminalSignIn extends TerminalKey {
  readonly deviceName: string
  /** Called once, with what the user needs on the other device. */
  readonly onCode: (code: TerminalCode) => void
}

/** The code that the user types on another device, to sign this computer in. */
export interface TerminalCode {
  readonly userCode: string
  /** By what the user recognises this computer on the page. */
  readonly fingerprintPrefix: string
  readonly expiresAtMillis: number
}

/** The account that the command is signed in to. */
export interface TerminalAccount {
  readonly userId: string
  /** An address, a number or a username; the user id where there is none. */
  readonly name: string
  readonly roles: readonly string[]
}

/** A proof that an operation asks for and that can be typed in a terminal, such as a password. */
export interface TerminalProof {
  /** What is asked for, such as `Your password`. */
  readonly question: string
  readonly give: (key: TerminalKey, answer: string) => Promise<void>
}
