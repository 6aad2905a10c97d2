import { configured } from '../configure-auth.ts'

/**
 * What the specification asks for at operations where we ask for a fresh proof, which is more. `step-up` applies if the
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
  // A-163, and other changes by superadmins. Their role is checked before.
  ['createAdminRole', 'bearer'],
  ['updateAdminRole', 'bearer'],
  ['deleteAdminRole', 'bearer'],
  ['updateUserRole', 'bearer'],
  ['deleteInvitation', 'bearer'],
])

/** What an operation asks for with `freshProof: 'letter'`; null if it asks for a fresh proof. */
export function letterOf(operation: string) {
  return configured().freshProof === 'letter' ? (letters.get(operation) ?? null) : null
}
