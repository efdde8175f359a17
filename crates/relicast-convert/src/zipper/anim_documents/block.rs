//! Sequences: events in order, conditions and loops as blocks.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::context::Context;
use super::event::EventDocument;
use super::fields::Fields;
use crate::shared::line::Line;
use crate::zipper::anim_documents::flow::{Item, nest};
use crate::zipper::anim_documents::timing::{Span, spans};
use relicast_codec::{Blob, F32};
use relicast_formats::zipper::anim::{Sequence, SequenceState};

/// A sequence.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct SequenceDocument<'d> {
    name: String,
    /// Condition that starts it.
    #[serde(skip_serializing_if = "Option::is_none")]
    starts: Option<Start>,
    /// Its state after a reset, where that differs.
    #[serde(skip_serializing_if = "Option::is_none")]
    after_reset: Option<Start>,
    /// Seconds from its start to its end, where that does not depend on the game.
    #[serde(skip_serializing_if = "Option::is_none")]
    lasts: Option<F32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    events: Vec<Block<'d>>,
    /// Bytes after the last event.
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<&'d Blob<'static>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Start {
    WithAnimation,
    OnCall,
    Other(u8),
}

impl From<SequenceState> for Start {
    fn from(state: SequenceState) -> Self {
        match state {
            SequenceState::Initial => Self::WithAnimation,
            SequenceState::OnCall => Self::OnCall,
            SequenceState::Other(other) => Self::Other(other),
        }
    }
}

impl<'d> SequenceDocument<'d> {
    /// The document of a sequence. `block` is its index among the blocks of the definition. `starts` is
    /// absent for reset and damage blocks.
    pub(super) fn new(
        sequence: &'d Sequence,
        block: usize,
        is_ordinary: bool,
        context: &Context<'d>,
    ) -> Self {
        let flow = nest(&sequence.events);
        let (spans, end) = spans(context.container, context.definition, sequence, &flow.items);
        let head = &sequence.head;
        let builder = Builder {
            sequence,
            block,
            spans: &spans,
            context,
        };
        let reset_differs = is_ordinary && head.reset_state != head.state;
        Self {
            name: head.name.text(),
            starts: is_ordinary.then(|| head.state.into()),
            after_reset: reset_differs.then(|| head.reset_state.into()),
            lasts: end.map(|end| F32(end as f32)),
            note: flow.note,
            events: builder.blocks(&flow.items),
            rest: Some(&sequence.rest).filter(|rest| !rest.is_empty()),
        }
    }
}

/// Converts blocks of indices to blocks of events.
struct Builder<'b, 'd> {
    sequence: &'d Sequence,
    block: usize,
    spans: &'b [Span],
    context: &'b Context<'d>,
}

impl<'d> Builder<'_, 'd> {
    fn event(&self, index: usize) -> EventDocument<'d> {
        let event = &self.sequence.events[index];
        EventDocument {
            event,
            names: self.context.names,
            span: self.spans[index],
            scripts: self.context.scripts(event, self.block, index),
        }
    }

    fn blocks(&self, items: &[Item]) -> Vec<Block<'d>> {
        let style = self.context.style;
        let block = |item: &Item| match item {
            Item::Event(index) => match self.event(*index) {
                event if event.has_table() => Block::Table(event),
                event => Block::Line(Line::new(event, style)),
            },
            Item::Loop { body, end } => Block::Body {
                head: self.event(*end),
                key: "body",
                body: self.blocks(body),
                otherwise: Vec::new(),
                end: None,
            },
            Item::If {
                head,
                then,
                otherwise,
                end,
            } => {
                let branches = otherwise.iter().map(|(branch, body)| Block::Body {
                    head: self.event(*branch),
                    key: "then",
                    body: self.blocks(body),
                    otherwise: Vec::new(),
                    end: None,
                });
                Block::Body {
                    head: self.event(*head),
                    key: "then",
                    body: self.blocks(then),
                    otherwise: branches.collect(),
                    end: Some(Line::new(self.event(*end), style)),
                }
            }
        };
        items.iter().map(block).collect()
    }
}

/// An event, or a block of them.
#[derive(Debug)]
enum Block<'d> {
    Line(Line<EventDocument<'d>>),
    Table(EventDocument<'d>),
    Body {
        head: EventDocument<'d>,
        key: &'static str,
        body: Vec<Block<'d>>,
        otherwise: Vec<Block<'d>>,
        end: Option<Line<EventDocument<'d>>>,
    },
}

relicast_codec::json_form_of!(@['a] Block<'a> => EventDocument<'a>);

impl Serialize for Block<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Line(line) => line.serialize(serializer),
            Self::Table(event) => event.serialize(serializer),
            Self::Body {
                head,
                key,
                body,
                otherwise,
                end,
            } => {
                let mut map = serializer.serialize_map(None)?;
                head.put_all(&mut map)?;
                map.put(key, body)?;
                map.put_if(!otherwise.is_empty(), "otherwise", otherwise)?;
                if let Some(end) = end {
                    map.put("end", end)?;
                }
                map.end()
            }
        }
    }
}
