//! Style and script of the page, and the policy that allows only them.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// The style sheet: dark and light as the system has it.
pub(super) const STYLE: &str = "\
:root{color-scheme:light dark;--line:#8886;--weak:#666;--good:#0a6b2d;--bad:#b00020}\
@media(prefers-color-scheme:dark){:root{--weak:#aaa;--good:#6fd08f;--bad:#ff8a95}}\
body{font:13px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:110rem;padding:0 .75rem}\
h1{margin:0 0 .3rem}h2{margin:2rem 0 .5rem;font-size:1.2rem}\
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}\
caption{text-align:left;color:var(--weak);padding:.2rem 0}\
td,th{text-align:left;padding:.35rem .25rem;border-bottom:1px solid var(--line);vertical-align:top}\
td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
thead th{vertical-align:bottom}thead th.n{white-space:normal}tfoot th,tfoot td{border-top:2px solid var(--line);font-weight:600}\
button{font:inherit;font-weight:600;color:inherit;background:none;border:0;padding:0;cursor:pointer}\
th button::after{content:\" \\2195\";color:var(--weak);font-weight:400;font-size:.85em}\
td:nth-child(3){min-width:7rem}button{text-align:inherit}main>table{width:auto;min-width:24rem}\
th[aria-sort=ascending] button::after{content:\" \\25B2\"}th[aria-sort=descending] button::after{content:\" \\25BC\"}\
:focus-visible{outline:2px solid Highlight;outline-offset:2px}\
small,.weak{color:var(--weak)}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}\
input{font:inherit;padding:.2rem .4rem;min-width:16rem}code{overflow-wrap:anywhere}\
@media print{input,label{display:none}}";

/// Sorts and filters the rows. Nothing is loaded or stored.
pub(super) const SCRIPT: &str = "\
'use strict';\
const table=document.getElementById('discs'),body=table.tBodies[0],said=document.getElementById('said');\
const heads=[...table.tHead.rows[0].cells];\
heads.forEach((head,place)=>{\
const text=head.textContent,button=document.createElement('button');button.type='button';button.textContent=text;\
head.textContent='';head.append(button);\
button.addEventListener('click',()=>{\
const down=head.getAttribute('aria-sort')==='ascending';\
heads.forEach(other=>other.removeAttribute('aria-sort'));\
head.setAttribute('aria-sort',down?'descending':'ascending');\
const key=row=>row.cells[place].dataset.v,isNumber=head.classList.contains('n');\
const rows=[...body.rows].map((row,number)=>({row,number,key:key(row)}));\
rows.sort((a,b)=>{const order=isNumber?Number(a.key)-Number(b.key):a.key.localeCompare(b.key,undefined,{numeric:true});\
return (down?-order:order)||a.number-b.number});\
body.append(...rows.map(one=>one.row));\
said.textContent='Sorted by '+text+(down?', descending':', ascending')})});\
const filter=document.getElementById('filter');filter.closest('p').hidden=false;\
filter.addEventListener('input',()=>{\
const words=filter.value.toLowerCase().split(/\\s+/).filter(Boolean);let count=0;\
for(const row of body.rows){const text=row.textContent.toLowerCase();\
row.hidden=!words.every(word=>text.includes(word));if(!row.hidden)count++}\
said.textContent=count+' of '+body.rows.length+' shown'});";

/// The policy of the page: only its own style and its own script.
pub(super) fn policy() -> String {
    let hash = |text: &str| BASE64_STANDARD.encode(digest(&SHA256, text.as_bytes()));
    format!(
        "default-src 'none'; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        hash(STYLE),
        hash(SCRIPT)
    )
}
