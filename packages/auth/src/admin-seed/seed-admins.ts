import type { Auth } from '../auth.ts'

export async function seedAdmins(_auth: Auth, _accounts: readonly unknown[]) {}
