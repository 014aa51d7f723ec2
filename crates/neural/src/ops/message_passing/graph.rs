//! The graph of a grid: every cell is a node, with edges to all cells that share a house with it.

use burn::tensor::backend::{AutodiffBackend, Backend};
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;

/// The directed edges, sorted by target.
///
/// All nodes have the same number of neighbours. The edges into node `n` have the numbers `n ·
/// degree` to `(n + 1) · degree − 1`, so a sum over neighbours is a sum over adjacent rows.
#[derive(Clone, Debug)]
pub struct Graph<B: Backend> {
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges into each node, and out of each node.
    pub degree: usize,
    /// The source node of each edge.
    pub sources: Tensor<B, 1, Int>,
    /// The numbers of the edges out of each node.
    pub outgoing: Tensor<B, 1, Int>,
    /// Allows 16-bit edges on devices where these are faster.
    pub half: bool,
}

impl<B: Backend> Graph<B> {
    /// The graph of a grid: peers are connected.
    pub fn for_grid(order: Order, half: bool, device: &B::Device) -> Graph<B> {
        let sources: Vec<usize> =
            order.cells().flat_map(|cell| order.peers_of(cell)).map(|peer| peer.index()).collect();
        Graph::from_sources(order.cell_count(), &sources, half, device)
    }

    /// A graph in which all nodes have the same number of incoming and outgoing edges.
    pub fn from_sources(
        nodes: usize,
        sources: &[usize],
        half: bool,
        device: &B::Device,
    ) -> Graph<B> {
        let mut outgoing: Vec<usize> = (0..sources.len()).collect();
        // The sort is stable: the edges out of a node stay sorted by target.
        outgoing.sort_by_key(|&edge| sources[edge]);
        let on_device = |numbers: &[usize]| {
            let numbers: Vec<i32> = numbers.iter().map(|&place| place as i32).collect();
            Tensor::from_data(TensorData::new(numbers, [sources.len()]), device)
        };
        Graph {
            nodes,
            degree: sources.len() / nodes,
            sources: on_device(sources),
            outgoing: on_device(&outgoing),
            half,
        }
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.nodes * self.degree
    }
}

impl<B: AutodiffBackend> Graph<B> {
    /// The same graph on the backend without gradients.
    pub fn inner(&self) -> Graph<B::InnerBackend> {
        Graph {
            nodes: self.nodes,
            degree: self.degree,
            sources: self.sources.clone().inner(),
            outgoing: self.outgoing.clone().inner(),
            half: self.half,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn edges_connect_peers_in_both_directions() {
        for (order, edges) in
            [(Order::NINE, 1_620), (Order::FOUR, 16 * 7), (Order::new(2, 3).unwrap(), 36 * 12)]
        {
            let graph: Graph<Cpu> = Graph::for_grid(order, false, &Default::default());
            assert_eq!(graph.edges(), edges, "{order}");
            let read =
                |numbers: &Tensor<Cpu, 1, Int>| numbers.to_data().iter::<i64>().collect::<Vec<_>>();
            let (sources, outgoing) = (read(&graph.sources), read(&graph.outgoing));
            for (place, &edge) in outgoing.iter().enumerate() {
                let node = place / graph.degree;
                assert_eq!(
                    sources[edge as usize], node as i64,
                    "edge {edge} starts from node {node}"
                );
                let target = edge as usize / graph.degree;
                let back = &sources[node * graph.degree..(node + 1) * graph.degree];
                assert!(back.contains(&(target as i64)), "every edge has a reverse edge");
            }
        }
    }
}
