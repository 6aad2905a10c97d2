import { configured } from '../configure-auth.ts'

/**
 * What the documents ask of operations for which a fresh proof is more than they say. `step-up` is asked for where the
 * account has a second factor.
 */
const letters: ReadonlyMap<string, 'bearer' | 'step-up'> = new Map([
  //
  ['approveDeviceAuth', 'step-up'],
  //
  ['passkeyRegisterOptions', 'step-up'],
  ['passkeyRegisterVerify', 'step-up'],
  //
  ['mfaTotpEnroll', 'step-up'],
  ['mfaTotpConfirm', 'step-up'],
  //
  ['setSessionBinding', 'bearer'],
  // A-163, and what superadmins do beside it: their role is asked for before.
  ['createAdminRole', 'bearer'],
  ['updateAdminRole', 'bearer'],
  ['deleteAdminRole', 'bearer'],
  ['updateUserRole', 'bearer'],
  ['deleteInvitation', 'bearer'],
])

/** What an operation asks for where `freshProof: 'letter'` goes back to the documents; null where it asks for a proof. */
export function letterOf(operation: string) {
  return configured().freshProof === 'letter' ? (letters.get(operation) ?? null) : null
}
