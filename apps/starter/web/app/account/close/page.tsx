import { DeleteAccountPage } from '@svc/web/account/next'
import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Delete your account' }

export default function Page() {
  return <DeleteAccountPage consequences={<Notices />} />
}

function Notices() {
  return <li>Your notices stay on the board, under the name you posted them with.</li>
}
