import { defineRouter } from '@svc/core'
import { auditRoutes } from './audit/routes.ts'
import { codeRoutes } from './codes/routes.ts'
import { contactRoutes } from './contact/routes.ts'
import { dataExportRoutes } from './data-export/routes.ts'
import { deletionRoutes } from './deletion/routes.ts'
import { deviceAuthRoutes } from './device/routes.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { keyRoutes } from './keys/routes.ts'
import { loginRoutes } from './login/routes.ts'
import { machineKeyRoutes } from './machine-keys/routes.ts'
import { mfaRoutes } from './mfa/routes.ts'
import { mobileContract } from './mobile-contract.ts'
import { oauth2MetadataRouter } from './oauth2/metadata.ts'
import { oauth2Routes } from './oauth2/routes.ts'
import { oauth2ClientRoutes } from './oauth2-clients/routes.ts'
import { oneTimeTokenRoutes } from './one-time-token/routes.ts'
import { relatedOriginsRouter } from './passkeys/related-origins.ts'
import { passkeyRoutes } from './passkeys/routes.ts'
import { passwordRoutes } from './password/routes.ts'
import { passwordResetRoutes } from './password-reset/routes.ts'
import { profileRoutes } from './profile/routes.ts'
import { recentProofRoutes } from './recent-proof/routes.ts'
import { registerRoutes } from './register/routes.ts'
import { revokeAllRoutes } from './revoke-all/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { sessionRoutes } from './session/routes.ts'
import { signupRoutes } from './signup/routes.ts'
import { socialRoutes } from './social/accounts/routes.ts'
import { oauthRoutes } from './social/browser/routes.ts'
import { nativeRoutes } from './social/native/routes.ts'
import { unlinkRoutes } from './social/unlink/routes.ts'

/** Every route of the service: `defineRouter({ … }).packages([authRouter]).use([authenticate])`. */
export const authRouter = defineRouter(
  {
    ...codeRoutes,
    ...registerRoutes,
    ...signupRoutes,
    ...loginRoutes,
    ...deviceAuthRoutes,
    ...passkeyRoutes,
    ...mfaRoutes,
    ...recentProofRoutes,
    ...oauthRoutes,
    ...nativeRoutes,
    ...unlinkRoutes,
    ...socialRoutes,
    ...sessionRoutes,
    ...keyRoutes,
    ...machineKeyRoutes,
    ...revokeAllRoutes,
    ...passwordRoutes,
    ...passwordResetRoutes,
    ...oneTimeTokenRoutes,
    ...profileRoutes,
    ...contactRoutes,
    ...invitationRoutes,
    ...deletionRoutes,
    ...dataExportRoutes,
    ...roleRoutes,
    ...auditRoutes,
    ...oauth2Routes,
    ...oauth2ClientRoutes,
  },
  { owns: '/_auth/', contract: mobileContract },
).packages([relatedOriginsRouter, oauth2MetadataRouter])
