import { Panel } from '../ui/panel.tsx'
import { ExportButton } from './export-button.tsx'

export function DataPanel({ title }: { title: string }) {
  return (
    <Panel
      title={title}
      about="Your profile, your devices and what was recorded of your account, as a file of JSON. It has no passwords and no keys."
    >
      <ExportButton />
    </Panel>
  )
}
