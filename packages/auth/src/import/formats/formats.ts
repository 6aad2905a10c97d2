import { authjs } from './authjs.ts'
import { betterAuth } from './better-auth.ts'
import { django } from './django.ts'
import { firebase } from './firebase.ts'
import type { Format } from './format.ts'
import { keycloak } from './keycloak.ts'
import { own } from './own.ts'
import { supabase } from './supabase.ts'

/** Every system that users are imported from, by the name that the command takes. */
export const formats: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    own,
    'better-auth': betterAuth,
    authjs,
    supabase,
    firebase,
    keycloak,
    django,
  }),
)
