import type { LockedAccount } from './lock-account.ts'

declare const proof: unique symbol

/** The account of a caller. Adding a key to it needs more than a signature: a fresh proof. */
export type CallersAccount = LockedAccount & { readonly [proof]: 'signed' | 'fresh' }

/** The account of a caller whose proof is fresh. */
export type FreshAccount = LockedAccount & { readonly [proof]: 'fresh' }

/** An account that a key may be added to: of a checked credential, or of a caller whose proof is fresh. */
export type EntitledAccount = LockedAccount & { readonly [proof]?: 'fresh' }
