// The same flows as in web-app.test.ts, in an application that adds nothing to the account pages.
// oxlint-disable import/no-unassigned-import -- a part has nothing to give: it registers its tests as it is loaded
import './framed.spec.ts'
import './registration.spec.ts'
import './support-quiet.spec.ts'
