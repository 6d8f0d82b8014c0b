import { createRoot } from 'react-dom/client';
import './theme.css';

createRoot(document.getElementById('root')!).render(<p className="p-4 text-dim">hello</p>);
