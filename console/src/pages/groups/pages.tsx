import { GroupsPage } from './groups-page.tsx'
import './page.css'

export const ProjectsPage = () => <GroupsPage kind="projects" changeScope="knowledge:write" />
export const WorkspacesPage = () => <GroupsPage kind="workspaces" changeScope="tenant:admin" />
export const ShownOnSitesPage = () => <GroupsPage kind="sites" changeScope="sites:write" />
