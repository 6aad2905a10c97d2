// The flows that plain-app.test.ts leaves out.
// oxlint-disable import/no-unassigned-import -- a part has nothing to give: it registers its tests as it is loaded
import './contact.spec.ts'
import './device-login.spec.ts'
import './devices.spec.ts'
import './invitations.spec.ts'
import './mailed-links.spec.ts'
import './second-factor.spec.ts'
import './session-renewal.spec.ts'
import './sign-in.spec.ts'
import './signup-link.spec.ts'
import './social.spec.ts'
import './step-up.spec.ts'
