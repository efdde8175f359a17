//! Control flow of a sequence as blocks.
//!
//! Events are a flat list. An IF with its ELSEIFs, ELSE and ENDIF becomes a block where they are
//! balanced; a LOOP, which sends the sequence back to its start, becomes a block around all events
//! before it where it is the only one and not in a branch.
//!
//! Blocks are a presentation of the list. In the games a false condition jumps to the next ELSE, ELSEIF or
//! ENDIF, even to one of an inner IF. This differs from the blocks only where one IF is inside another.

use relicast_formats::zipper::anim::{Event, EventBody};

/// Maximum nesting depth of blocks.
const MAX_DEPTH: usize = 24;

/// An event, or a block of events; numbers are indices in the sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) enum Item {
    /// An event that does not open a block.
    Event(usize),
    /// IF to ENDIF.
    If {
        /// The IF.
        head: usize,
        /// Items that run if its condition holds.
        then: Vec<Item>,
        /// Each ELSEIF or ELSE, and the items of its branch.
        otherwise: Vec<(usize, Vec<Item>)>,
        /// The ENDIF.
        end: usize,
    },
    /// Items that a LOOP repeats.
    Loop {
        /// Everything before it.
        body: Vec<Item>,
        /// The LOOP.
        end: usize,
    },
}

/// The blocks of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::zipper) struct Flow {
    /// Items that run, in order.
    pub items: Vec<Item>,
    /// Reason that the events are not a block, or a caution.
    pub note: Option<&'static str>,
}

/// An IF without its ENDIF so far.
struct Open {
    /// Items before it.
    before: Vec<Item>,
    head: usize,
    then: Option<Vec<Item>>,
    otherwise: Vec<(usize, Vec<Item>)>,
    /// The ELSEIF or ELSE whose events are being collected.
    branch: Option<usize>,
    had_else: bool,
}

impl Open {
    /// Stores the branch that ends here.
    fn close_branch(&mut self, items: Vec<Item>) {
        match self.branch.take() {
            None => self.then = Some(items),
            Some(branch) => self.otherwise.push((branch, items)),
        }
    }
}

/// Finds the blocks of a sequence.
pub(in crate::zipper) fn nest(events: &[Event]) -> Flow {
    let flat = |note| Flow {
        items: (0..events.len()).map(Item::Event).collect(),
        note: Some(note),
    };
    let mut loops = events.iter().filter(|event| is_loop(event));
    let only_loop = loops.next().is_some() && loops.next().is_none();
    let mut note = (!only_loop && events.iter().any(is_loop))
        .then_some("several LOOPs, each of which returns to the start of the sequence");
    let mut items = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    for (index, event) in events.iter().enumerate() {
        match &event.body {
            EventBody::If(_) => {
                if open.len() == MAX_DEPTH {
                    return flat("conditions nested too deeply to be shown as blocks");
                }
                if !open.is_empty() {
                    note = Some(
                        "a condition inside another: the games go to the next ELSE, ELSEIF or \
                         ENDIF, inner ones included",
                    );
                }
                open.push(Open {
                    before: std::mem::take(&mut items),
                    head: index,
                    then: None,
                    otherwise: Vec::new(),
                    branch: None,
                    had_else: false,
                });
            }
            EventBody::ElseIf(_) | EventBody::Else(_) => {
                let Some(block) = open.last_mut().filter(|block| !block.had_else) else {
                    return flat("an ELSE or ELSEIF without its IF");
                };
                block.close_branch(std::mem::take(&mut items));
                block.branch = Some(index);
                block.had_else = matches!(event.body, EventBody::Else(_));
            }
            EventBody::EndIf(_) => {
                let Some(mut block) = open.pop() else {
                    return flat("an ENDIF without its IF");
                };
                block.close_branch(std::mem::take(&mut items));
                items = block.before;
                items.push(Item::If {
                    head: block.head,
                    then: block.then.unwrap_or_default(),
                    otherwise: block.otherwise,
                    end: index,
                });
            }
            EventBody::Loop(_) if only_loop && open.is_empty() => {
                let body = std::mem::take(&mut items);
                items.push(Item::Loop { body, end: index });
            }
            EventBody::Loop(_) => {
                note = note.or(Some(
                    "a LOOP in a branch, which returns to the start of the sequence",
                ));
                items.push(Item::Event(index));
            }
            _ => items.push(Item::Event(index)),
        }
    }
    if open.is_empty() {
        Flow { items, note }
    } else {
        flat("an IF without its ENDIF")
    }
}

fn is_loop(event: &Event) -> bool {
    matches!(event.body, EventBody::Loop(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use relicast_formats::zipper::anim::event::control::{Condition, Loop, Marker};
    use relicast_formats::zipper::anim::event::object::ObjectActiveState;

    fn event(letter: char) -> Event {
        Event::new(match letter {
            'i' => EventBody::If(Condition::default()),
            'f' => EventBody::ElseIf(Condition::default()),
            'e' => EventBody::Else(Marker {}),
            'n' => EventBody::EndIf(Marker {}),
            'l' => EventBody::Loop(Loop::default()),
            _ => EventBody::ObjectActiveState(ObjectActiveState::default()),
        })
    }

    fn flow(letters: &str) -> Flow {
        nest(&letters.chars().map(event).collect::<Vec<_>>())
    }

    fn flatten(items: &[Item], out: &mut Vec<usize>) {
        for item in items {
            match item {
                Item::Event(index) => out.push(*index),
                Item::Loop { body, end } => {
                    flatten(body, out);
                    out.push(*end);
                }
                Item::If {
                    head,
                    then,
                    otherwise,
                    end,
                } => {
                    out.push(*head);
                    flatten(then, out);
                    for (branch, items) in otherwise {
                        out.push(*branch);
                        flatten(items, out);
                    }
                    out.push(*end);
                }
            }
        }
    }

    #[test]
    fn balanced_conditions_become_blocks() {
        let found = flow("aiafaean");
        let expected = Item::If {
            head: 1,
            then: vec![Item::Event(2)],
            otherwise: vec![(3, vec![Item::Event(4)]), (5, vec![Item::Event(6)])],
            end: 7,
        };
        assert_eq!(found.items, [Item::Event(0), expected]);
        assert_eq!(found.note, None);
    }

    #[test]
    fn unbalanced_ones_stay_flat() {
        for letters in ["ia", "an", "ea", "iaeaen", "iaeafn", "f"] {
            let found = flow(letters);
            assert!(found.note.is_some(), "{letters}");
            assert_eq!(found.items.len(), letters.len(), "{letters}");
        }
    }

    #[test]
    fn a_single_loop_holds_what_it_repeats() {
        let found = flow("aala");
        let body = vec![Item::Event(0), Item::Event(1)];
        assert_eq!(found.items, [Item::Loop { body, end: 2 }, Item::Event(3)]);
        assert_eq!(flow("alal").items.len(), 4);
        assert!(flow("alal").note.is_some());
        assert!(flow("ialn").note.is_some());
        assert!(flow("iian n".replace(' ', "").as_str()).note.is_some());
    }

    #[test]
    fn hostile_depth_stays_flat() {
        let deep = format!("{}{}", "i".repeat(1000), "n".repeat(1000));
        assert_eq!(flow(&deep).items.len(), 2000);
    }

    proptest! {
        #[test]
        fn flattening_gives_the_list_back(letters in "[aaifenl]{0,40}") {
            let mut order = Vec::new();
            flatten(&flow(&letters).items, &mut order);
            prop_assert_eq!(order, (0..letters.len()).collect::<Vec<_>>());
        }
    }
}
