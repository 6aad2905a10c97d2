import { Console, type ConsoleProps, consoleMetadata } from '@svc/web/console/next'
import { Denied } from '../../../admin/denied.tsx'
import { parts } from '../../../admin/parts.ts'

export const generateMetadata = ({ params }: ConsoleProps) => consoleMetadata({ params, parts })

export default function Page(given: ConsoleProps) {
  return (
    <Console {...given} parts={parts} denied={(permission) => <Denied permission={permission} />} />
  )
}
