import type { Mutation } from './mutation.ts'

const knownBrowser = { folder: 'known-browser', test: 'known-browser.test.ts' }
const codes = { folder: 'codes', test: 'codes.test.ts' }

/** What keeps an attacker from locking an owner out, and from guessing more than a day's tries. */
export const ofStrangers: Mutation[] = [
  {
    name: 'a known browser is counted with strangers',
    file: 'login/login.ts',
    find: "if (known !== null) return limits.take('login by known browser', known)",
    replace: 'void known',
    ...knownBrowser,
    title: 'has ten tries a minute of its own',
  },
  {
    name: 'strangers at all addresses share one count of an account',
    file: 'login/login.ts',
    find: 'withAddress(value, origin.address)',
    replace: 'withAddress(value, null)',
    ...knownBrowser,
    title: 'is counted by address and account together',
  },
  {
    name: 'strangers from many addresses have no bound at an account',
    file: 'login/login.ts',
    find: "await limits.take('logins in an hour by account', value)",
    replace: '',
    ...knownBrowser,
    title: 'shares a hundred tries an hour',
  },
  {
    name: 'the token of a known browser needs no signature',
    file: 'known-browser/known-browser.ts',
    find: 'if (!isOurs || !isUuid(userId)',
    replace: 'if (!isUuid(userId)',
    ...knownBrowser,
    title: 'is made by the secret of the API alone',
  },
  {
    name: 'a browser that has signed out outlives a sign-out of all devices',
    file: 'keys/trust.ts',
    find: 'if (leavesKnown.includes(reason)) return',
    replace: 'if (leavesKnown.includes(reason) || tx) return',
    test: 'known-browser.test.ts',
    title: 'is known no more after a sign-out of all devices',
  },
  {
    name: 'the codes of a target have no daily bound',
    file: 'codes/codes.ts',
    find: 'if (codeHash !== null) await countTry(tx, auth, { place, now })',
    replace: '',
    ...codes,
    title: 'takes forty wrong tries a day',
  },
  {
    name: 'a try is counted where no code waits',
    file: 'codes/codes.ts',
    find: 'if (codeHash !== null) await countTry(tx, auth, { place, now })',
    replace: 'await countTry(tx, auth, { place, now })',
    ...codes,
    title: 'counts a try when no code is waiting only',
  },
  {
    name: 'strangers and known browsers share a code',
    file: 'codes/store.ts',
    find: 'isKnown ? `${purpose} known` : purpose',
    replace: 'isKnown ? purpose : purpose',
    ...codes,
    title: 'who can neither replace them nor use up their tries',
  },
  {
    name: 'the doors of a second factor share a counter',
    file: 'mfa/prove-factor.ts',
    find: "method === 'recovery code' ? 'recovery code' : door",
    replace: "method === 'recovery code' || door ? 'sign-in' : door",
    folder: 'mfa',
    test: 'step-up.test.ts',
    title: 'a minute of guesses at a sign-in closes neither',
  },
]
